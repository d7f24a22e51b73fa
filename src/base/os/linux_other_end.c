#include "base/os/other_end.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define ADDRESS_MOST 44

const bool other_end_is_known = true;

/* An address as the table has it: its words in the byte order of the machine. */
static void write_address(char text[ADDRESS_MOST], const struct sockaddr_in *address, bool mapped)
{
	unsigned middle = 0;

	memcpy(&middle, (unsigned char[]){ 0, 0, 0xFF, 0xFF }, sizeof middle);
	snprintf(text, ADDRESS_MOST, "%s", "");
	if (mapped) /* an IPv6 socket that speaks IPv4 */
		snprintf(text, ADDRESS_MOST, "%016X%08X", 0, middle);
	snprintf(text + strlen(text), ADDRESS_MOST - strlen(text), "%08X:%04X", (unsigned)address->sin_addr.s_addr, ntohs(address->sin_port));
}

/* Whether the table has the socket with these addresses without an inode: no program has it. */
static bool is_orphan(const char *table, const struct sockaddr_in *its, const struct sockaddr_in *ours, bool mapped)
{
	char local[ADDRESS_MOST], remote[ADDRESS_MOST], line[400], at[2][ADDRESS_MOST];
	FILE *file = fopen(table, "re");
	unsigned long inode = 1;
	bool found = false;

	write_address(local, its, mapped);
	write_address(remote, ours, mapped);
	while (file && !found && fgets(line, sizeof line, file))
		found = sscanf(line, "%*s %43s %43s %*s %*s %*s %*s %*s %*s %lu", at[0], at[1], &inode) == 3 && !strcmp(at[0], local) &&
		        !strcmp(at[1], remote);
	if (file)
		fclose(file);
	return found && !inode;
}

bool other_end_is_closed(int fd)
{
	struct sockaddr_in ours, its;
	socklen_t size = sizeof ours;

	if (getsockname(fd, (struct sockaddr *)&ours, &size) != 0 || ours.sin_family != AF_INET)
		return false;
	size = sizeof its;
	if (getpeername(fd, (struct sockaddr *)&its, &size) != 0 || its.sin_family != AF_INET)
		return false;
	return is_orphan("/proc/net/tcp", &its, &ours, false) || is_orphan("/proc/net/tcp6", &its, &ours, true);
}
