#include "app/system/pager.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/system/environment.h"
#include "base/os/descriptor.h"

#define END_LOOK_MS 1000

/* A command of one word is executed directly, one with arguments by sh. Returns 0 or an errno value. */
static int pager_start(struct pager *p, const char *command, int input)
{
	bool bare = process_environment("LESS") == NULL;
	struct child_options options = { .place = CHILD_AS_PAGER, .input = input, .variable = bare ? "LESS=FRX" : NULL };

	if (child_needs_shell(command))
		return child_start(&p->child, (const char *const[]){ "/bin/sh", "-c", command, NULL }, &options);
	return child_start(&p->child, (const char *const[]){ command, NULL }, &options);
}

void pager_open(struct pager *p)
{
	const char *named = process_environment("PAGER"), *command = named ? named : "less";
	int ends[2];

	p->child = (struct child){ 0, -1 };
	output_init(&p->out, STDOUT_FILENO);
	if (!p->out.terminal || !*command || !strcmp(command, "cat") || !descriptor_pipe(ends))
		return;
	if (pager_start(p, command, ends[0]) == 0) {
		p->out.fd = ends[1];
		p->out.patient = true; /* an interrupt is for the pager */
	} else {
		p->child.pid = 0;
		close(ends[1]);
	}
	close(ends[0]);
}

bool pager_takes_styles(const struct pager *p)
{
	return !p->child.pid || !process_environment("LESS");
}

int pager_close(struct pager *p, int status)
{
	struct child_end end;
	struct pollfd fd;

	if (!p->child.pid)
		return output_status(&p->out, status);
	close(p->out.fd);
	while (!child_has_ended(&p->child, &end))
		poll(&fd, child_fds(&p->child, &fd), END_LOOK_MS);
	return output_status(&p->out, status);
}
