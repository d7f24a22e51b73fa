/*
 * Exit statuses of the program. The numbers are fixed (weir(1), "EXIT STATUS").
 */
#ifndef WEIR_BASE_EXIT_STATUS_H
#define WEIR_BASE_EXIT_STATUS_H

enum exit_status {
	EXIT_DONE = 0,
	EXIT_LOCAL = 1,       /* a local failure: no memory, a file that cannot be written, no base URL */
	EXIT_USAGE = 2,       /* an option, name or file that cannot be used */
	EXIT_CUT = 3,         /* the connection closed or timed out before the answer was complete */
	EXIT_ERROR = 4,       /* the server returned an error or could not be reached */
	EXIT_BY_SIGNAL = 128, /* plus the number of the signal that ended the program in an orderly way */
	EXIT_CANCELLED = 130, /* the user stopped the answer; same value as for SIGINT */
};

#endif
