/*
 * What the program tells whoever started it; the numbers are promised (CONTRACT.md, "Outcome of a turn", and the man page).
 */
#ifndef WEIR_BASE_EXIT_STATUS_H
#define WEIR_BASE_EXIT_STATUS_H

enum exit_status {
	EXIT_DONE = 0,
	EXIT_LOCAL = 1,       /* something failed here: no memory, a file that cannot be written, no base URL */
	EXIT_USAGE = 2,       /* an option, a name or a file that cannot be used */
	EXIT_CUT = 3,         /* the connection ended, or fell silent, before the answer did */
	EXIT_ERROR = 4,       /* the server's error, or none could be reached */
	EXIT_BY_SIGNAL = 128, /* and the number of the signal that ended the program, in good order */
	EXIT_CANCELLED = 130, /* the user stopped the answer: the same as by SIGINT */
};

#endif
