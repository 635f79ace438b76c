/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the completion of a shell from the tables of commands and options: generate bash|zsh|fish.
 *
 * Runs while the program is built, also when that is for another CPU. So it is compiled by itself, for this machine,
 * with the table as a part of it: what an option sets when it is parsed is left unresolved, and is never called. */
#include "config/option_table.c"

#include <stdio.h>

/* What may stand behind an option. */
enum value { VALUE_NONE, VALUE_ANY, VALUE_FILE, VALUE_DIR, VALUE_PLAN, VALUE_DISK };

static enum value row_value(const struct option_row *row)
{
	if (row->argument == NULL)
		return VALUE_NONE;
	if (row->set == set_plan)
		return VALUE_PLAN;
	if (row->set == set_disk)
		return VALUE_DISK;
	if (strcmp(row->argument, "DIR") == 0)
		return VALUE_DIR;
	if (strcmp(row->argument, "FILE") == 0 || strcmp(row->argument, "CONTENT") == 0)
		return VALUE_FILE;
	return VALUE_ANY;
}

static bool row_repeats(const struct option_row *row)
{
	return row->set == set_verbose || row->set == set_quiet || row->set == set_pattern || row->set == set_disk;
}

/* The next row that users see, after `row`, or the first after NULL; NULL at the end. */
static const struct option_row *next_row(const struct option_row *row)
{
	for (row = row == NULL ? option_table : row + 1; row < option_table + option_count; ++row)
		if (row->help != NULL)
			return row;
	return NULL;
}

static const struct command_name *next_command(const struct command_name *command)
{
	for (command = command == NULL ? command_names : command + 1; command < command_names + command_count; ++command)
		if (command->help != NULL)
			return command;
	return NULL;
}

#define EACH_ROW(row)		(const struct option_row *row = next_row(NULL); row != NULL; row = next_row(row))
#define EACH_COMMAND(command)	\
	(const struct command_name *command = next_command(NULL); command != NULL; command = next_command(command))

/* The text in one line, between single quotes; a backslash before each of `special`. */
static void put_quoted(const char *text, const char *special)
{
	for (; *text != '\0'; ++text) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr(special, *text) != NULL)
			printf("\\%c", *text);
		else
			putchar(*text == '\n' ? ' ' : *text);
	}
}

/* Disks and levels of the configuration in its usual place. */
#define DISKS	"sed -nE 's/^[[:blank:]]*(data|disk|extra)[[:blank:]]+([^[:blank:]]+).*/\\2/p; " \
		"s/^[[:blank:]]*([1-6qrz]-)?parity[[:blank:]].*/\\1parity/p' /etc/snapraid.conf 2> /dev/null"

/* ---- bash */

static void bash_options_with(enum value value, const char *action)
{
	const char *bar = "\t";

	for EACH_ROW(row) {
		if (row_value(row) != value)
			continue;
		if (row->letter != 0)
			printf("%s-%c | --%s", bar, row->letter, row->name);
		else
			printf("%s--%s", bar, row->name);
		bar = " | ";
	}
	printf(")\n\t\t%s\n\t\treturn\n\t\t;;\n", action);
}

static void bash(void)
{
	puts("# bash completion of snapraid, made from its tables of options and commands\n"
	     "_snapraid()\n"
	     "{\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	     "\tlocal IFS=$' \\t\\n'\n"
	     "\tif [ \"$cur\" = = ]; then\n"
	     "\t\tcur=\n"
	     "\telif [ \"$prev\" = = ]; then\n"
	     "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
	     "\tfi\n"
	     "\tCOMPREPLY=()\n"
	     "\tcase $prev in");
	bash_options_with(VALUE_FILE, "local IFS=$'\\n'; compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))");
	bash_options_with(VALUE_DIR, "local IFS=$'\\n'; compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))");
	bash_options_with(VALUE_PLAN, "COMPREPLY=($(compgen -W 'bad new full' -- \"$cur\"))");
	bash_options_with(VALUE_DISK, "COMPREPLY=($(compgen -W \"$(" DISKS ")\" -- \"$cur\"))");
	bash_options_with(VALUE_ANY, ":");
	puts("\tesac\n"
	     "\tif [[ $cur == -* ]]; then\n"
	     "\t\tCOMPREPLY=($(compgen -W '");
	for EACH_ROW(row) {
		if (row->letter != 0)
			printf("\t\t\t-%c --%s\n", row->letter, row->name);
		else
			printf("\t\t\t--%s\n", row->name);
	}
	puts("\t\t\t' -- \"$cur\"))\n"
	     "\telse\n"
	     "\t\tCOMPREPLY=($(compgen -W '");
	for EACH_COMMAND(command)
		printf("\t\t\t%s\n", command->name);
	puts("\t\t\t' -- \"$cur\"))\n"
	     "\tfi\n"
	     "}\n"
	     "complete -F _snapraid snapraid");
}

/* ---- zsh */

static void zsh_value(const struct option_row *row)
{
	static const char *const action[] = {
		[VALUE_ANY] = " ", [VALUE_FILE] = "_files", [VALUE_DIR] = "_files -/",
		[VALUE_PLAN] = "(bad new full)", [VALUE_DISK] = "_snapraid_disks",
	};

	if (row_value(row) != VALUE_NONE)
		printf(":%s:%s", row->argument, action[row_value(row)]);
}

static void zsh_option(const struct option_row *row, bool is_long)
{
	const char *takes = row->argument == NULL ? "" : is_long ? "=" : "+";

	printf("\t\t'");
	if (row_repeats(row))
		putchar('*');
	else if (row->letter != 0)
		printf("(-%c --%s)", row->letter, row->name);
	if (is_long)
		printf("--%s%s[", row->name, takes);
	else
		printf("-%c%s[", row->letter, takes);
	put_quoted(row->help, "[]:\\");
	putchar(']');
	zsh_value(row);
	puts("' \\");
}

static void zsh(void)
{
	puts("#compdef snapraid\n"
	     "# zsh completion of snapraid, made from its tables of options and commands\n"
	     "_snapraid_disks()\n"
	     "{\n"
	     "\tlocal -a disks=(${(f)\"$(" DISKS ")\"})\n"
	     "\tcompadd -a disks\n"
	     "}\n"
	     "\n"
	     "_snapraid_commands()\n"
	     "{\n"
	     "\tlocal -a commands=(");
	for EACH_COMMAND(command) {
		printf("\t\t'%s:", command->name);
		put_quoted(command->help, ":\\");
		puts("'");
	}
	puts("\t)\n"
	     "\t_describe command commands\n"
	     "}\n"
	     "\n"
	     "_snapraid()\n"
	     "{\n"
	     "\t_arguments -s \\");
	for EACH_ROW(row) {
		if (row->letter != 0)
			zsh_option(row, false);
		zsh_option(row, true);
	}
	puts("\t\t'1:command:_snapraid_commands'\n"
	     "}\n"
	     "\n"
	     "_snapraid \"$@\"");
}

/* ---- fish */

static void fish_value(const struct option_row *row)
{
	switch (row_value(row)) {
	case VALUE_NONE:
		break;
	case VALUE_ANY:
		printf(" -x");
		break;
	case VALUE_FILE:
		printf(" -r -F");
		break;
	case VALUE_DIR:
		printf(" -x -a '(__fish_complete_directories)'");
		break;
	case VALUE_PLAN:
		printf(" -x -a 'bad new full'");
		break;
	case VALUE_DISK:
		printf(" -x -a '(__snapraid_disks)'");
		break;
	}
}

static void fish(void)
{
	puts("# fish completion of snapraid, made from its tables of options and commands\n"
	     "function __snapraid_disks\n"
	     "\t" DISKS "\n"
	     "end\n"
	     "complete -c snapraid -f");
	for EACH_COMMAND(command) {
		printf("complete -c snapraid -n 'not __fish_seen_subcommand_from");
		for EACH_COMMAND(other)
			printf(" %s", other->name);
		printf("' -a %s -d '", command->name);
		put_quoted(command->help, "\\");
		puts("'");
	}
	for EACH_ROW(row) {
		printf("complete -c snapraid");
		if (row->letter != 0)
			printf(" -s %c", row->letter);
		printf(" -l %s", row->name);
		fish_value(row);
		printf(" -d '");
		put_quoted(row->help, "\\");
		puts("'");
	}
}

int main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*write)(void);
	} shell[] = { { "bash", bash }, { "zsh", zsh }, { "fish", fish } };

	for (size_t i = 0; argc == 2 && i < sizeof shell / sizeof shell[0]; ++i) {
		if (strcmp(argv[1], shell[i].name) == 0) {
			shell[i].write();
			return ferror(stdout) || fclose(stdout) != 0;
		}
	}
	fprintf(stderr, "usage: generate bash|zsh|fish\n");
	return 1;
}
