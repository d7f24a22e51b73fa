/* Keyboard protocols that report modified keys, such as Shift-Enter. A separate header, because key.h conflicts with <curses.h>. */
#ifndef WEIR_UI_KEY_PROTOCOL_H
#define WEIR_UI_KEY_PROTOCOL_H

enum key_protocol {
	KEYS_PLAIN,  /* none, or the terminal has not replied yet */
	KEYS_XTERM,  /* modifyOtherKeys */
	KEYS_KITTY,  /* CSI u */
};

#endif
