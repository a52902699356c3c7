/* Output that arrived, or a message (tools/lib/output.h). */
#include "tools/lib/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_begin(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			break;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

const char *output_name(const char *name)
{
	enum { TEXTS = 4, BYTES = 4096, ESCAPED = 4 };
	static char texts[TEXTS][BYTES * ESCAPED + sizeof("...")];
	static unsigned turn;
	char *text = texts[turn++ % TEXTS], *to = text;
	size_t n = 0;

	for (; n < BYTES && name[n]; n++) {
		unsigned char c = (unsigned char)name[n];

		if (c < ' ' || c > '~')
			to += sprintf(to, "\\x%02x", c);
		else
			to += sprintf(to, c == '\\' ? "\\\\" : "%c", c);
	}
	strcpy(to, name[n] ? "..." : "");
	return text;
}

bool output_close_checked(FILE *f, const char *program, const char *name)
{
	bool lost = ferror(f);
	int why = 0;

	errno = 0;
	if (fflush(f))
		why = errno;
	errno = 0;
	if (fclose(f) && !why)
		why = errno;
	if (!lost && !why)
		return true;
	fprintf(stderr, "%s: %s: %s\n", program, output_name(name),
	        why ? strerror(why) : "some of the output could not be written");
	return false;
}

bool output_is_same(const char *a, const char *b)
{
	struct stat x, y;
	int lacks_x = stat(a, &x), lacks_y = stat(b, &y);

	if (lacks_x || lacks_y)
		return lacks_x && lacks_y && !strcmp(a, b);
	return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
