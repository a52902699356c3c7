/* Prints what make install puts beside cpl0-log: mkhelp 1|bash|zsh|fish */
#include <string.h>

#include "tools/help.h"
#include "tools/lib/output.h"

extern const char cpl0_version[]; /* made by the Makefile */

int main(int argc, char **argv)
{
	output_begin();
	if (argc == 2 && !strcmp(argv[1], "1"))
		help_man(cpl0_version, stdout);
	else if (argc == 2 && !strcmp(argv[1], "bash"))
		help_bash(stdout);
	else if (argc == 2 && !strcmp(argv[1], "zsh"))
		help_zsh(stdout);
	else if (argc == 2 && !strcmp(argv[1], "fish"))
		help_fish(stdout);
	else
		return 2;
	return output_close_checked(stdout, "mkhelp", "standard output") ? 0 : 1;
}
