/*
 * The surroundings of tests: the same for whoever starts them, from wherever.
 */
#ifndef WEIR_TESTS_ENVIRONMENT_H
#define WEIR_TESTS_ENVIRONMENT_H

/*
 * To be called first by each runner. Afterwards, here and in every child:
 *
 *   - the environment holds HOME (a folder that does not exist), LANG, PATH, TERM and TZ with fixed values, and what steers tests and
 *     sanitizers: no proxy, key, XDG folder, TMPDIR, editor, or size of a window. PATH is the standard folders;
 *   - the umask is 022, no signal is ignored or blocked, a core is not dumped, and 1024 files may be open;
 *   - standard input is empty, no descriptor but the standard three is open, and there is no controlling terminal.
 */
void environment_clean(void);

/* In a child, before exec: that environment without what steers tests, with this HOME, and `more` ("NAME=value" up to NULL; NULL: none). */
void environment_of_child(const char *home, const char *const *more);

#endif
