/* How a terminal can tell Shift-Enter from Enter. A header of its own: that of the keys and that of ncurses do not go together. */
#ifndef WEIR_UI_KEY_PROTOCOL_H
#define WEIR_UI_KEY_PROTOCOL_H

enum key_protocol {
	KEYS_PLAIN,  /* it cannot, or has not said yet that it can */
	KEYS_XTERM,  /* modifyOtherKeys */
	KEYS_KITTY,  /* CSI u */
};

#endif
