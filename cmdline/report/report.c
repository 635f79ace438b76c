/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "os/clock.h"
#include "os/term.h"
#include "os/thread.h"
#include "report/json.h"
#include "report/log.h"
#include "report/screen.h"
#include "report/table.h"
#include "report/tag.h"
#include "report/text.h"

/* What becomes of each level. */
static const struct level_row {
	enum { NO_TEXT, TO_STDOUT, TO_STDERR, TO_STDERR_OR_LOG } where;
	int verbosity;		/* the least one that shows it */
	bool is_step;		/* a good moment to flush: people and programs wait for it */
	bool is_prose;		/* a terminal shows it broken at words; the rest are names */
	const char *message;	/* in "msg:MESSAGE:" */
} level_table[] = {
	[REPORT_FATAL] = { TO_STDERR, INT32_MIN, true, true, "fatal" },
	[REPORT_ERROR] = { TO_STDERR_OR_LOG, INT32_MIN, true, true, "error" },
	[REPORT_EXPECTED] = { NO_TEXT, 0, false, false, "expected" },
	[REPORT_REPORT] = { TO_STDOUT, INT32_MIN, false, true, "status" },
	[REPORT_STATUS] = { TO_STDOUT, -3, true, true, "status" },
	[REPORT_INFO] = { TO_STDOUT, -2, false, false, "info" },
	[REPORT_OPERATION] = { TO_STDOUT, -1, true, false, "progress" },
	[REPORT_PROGRESS] = { TO_STDOUT, 0, true, false, "progress" },
	[REPORT_VERBOSE] = { TO_STDOUT, 1, false, true, "verbose" },
	[REPORT_LOG] = { NO_TEXT, 0, false, false, NULL },
};

static struct {
	mutex_t lock;
	bool is_open;
	int verbosity;
	bool gui;
	bool json;
	bool terminal[2];	/* stdout, stderr */
	struct log *log;
	int lost;		/* errno of the first failure on stdout */
	struct buf scratch;
} the = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* From here to report_event: with the lock held. */

static bool is_terminal(FILE *stream)
{
	if (the.is_open)
		return the.terminal[stream == stderr];
	return os_is_terminal(fileno(stream));
}

static void flush_stdout(void)
{
	if (fflush(stdout) != 0 && the.lost == 0)
		the.lost = errno;
}

static void write_stdout(void)
{
	if (fwrite(the.scratch.data, 1, the.scratch.size, stdout) != the.scratch.size && the.lost == 0)
		the.lost = errno;
}

static void print(const struct event_row *row, const struct level_row *level, unsigned count,
		  const struct field *fields)
{
	FILE *stream = level->where == TO_STDOUT ? stdout : stderr;
	enum text_for target = is_terminal(stream) ? TEXT_TERMINAL : TEXT_PIPE;

	buf_clear(&the.scratch);
	text_render(&the.scratch, row->text, target, count, fields);
	if (target == TEXT_TERMINAL && level->is_prose)
		screen_wrap(&the.scratch, 0, os_terminal_width(fileno(stream)));
	if (target == TEXT_TERMINAL)
		screen_colour(&the.scratch, 0);
	buf_char(&the.scratch, '\n');
	screen_erase();
	/* Both may end in one file or on one screen: keep the order. */
	if (stream == stderr)
		flush_stdout();
	if (stream == stdout)
		write_stdout();
	else
		fwrite(the.scratch.data, 1, the.scratch.size, stream);
	if (level->is_step && stream == stdout)
		flush_stdout();
	else if (level->is_step)
		fflush(stream);
}

/* The log is full or gone. Say it once and go on without: the data is worth more than its log. */
static void drop_log(void)
{
	struct log *log = the.log;
	const struct field fields[] = { field_s(log_path(log)), field_s(strerror(errno)) };

	the.log = NULL;
	print(&event_table[EV_LOG_WRITE], &level_table[REPORT_FATAL], 2, fields);
	log_close(log);
}

static void write_log(const struct event_row *row, const struct level_row *level, unsigned count,
		      const struct field *fields)
{
	buf_clear(&the.scratch);
	if (row->tag != NULL)
		tag_render(&the.scratch, row->tag, count, fields);
	else
		tag_render_message(&the.scratch, level->message, row->text, count, fields);
	if (the.scratch.size == 0)
		return;
	if (log_write(the.log, the.scratch.data, the.scratch.size) < 0 ||
	    (level->is_step && log_flush(the.log) < 0))
		drop_log();
}

static void write_json(const struct event_row *row, const struct level_row *level, unsigned count,
		       const struct field *fields)
{
	buf_clear(&the.scratch);
	if (row->tag != NULL)
		json_render(&the.scratch, row->tag, count, fields);
	else
		json_render_message(&the.scratch, level->message, row->text, count, fields);
	write_stdout();
	if (level->is_step)
		flush_stdout();
}

static bool is_printed(const struct event_row *row, const struct level_row *level)
{
	if (row->text == NULL)
		return false;
	if (!the.is_open)
		return row->level == REPORT_FATAL || row->level == REPORT_REPORT;
	switch (level->where) {
	case NO_TEXT:
		return false;
	case TO_STDERR_OR_LOG:
		return the.log == NULL && !the.json;
	case TO_STDERR:
		return true;
	case TO_STDOUT:
		break;
	}
	return !the.json && the.verbosity >= level->verbosity;
}

void report_event(enum event event, unsigned count, const struct field *fields)
{
	const struct event_row *row = &event_table[event];
	const struct level_row *level = &level_table[row->level];

	mutex_lock(&the.lock);
	if (the.log != NULL)
		write_log(row, level, count, fields);
	if (the.json)
		write_json(row, level, count, fields);
	if (is_printed(row, level))
		print(row, level, count, fields);
	mutex_unlock(&the.lock);
}

int report_open(const struct report_options *options)
{
	struct log *log = NULL;

	if (options->log != NULL) {
		log = log_open(options->log, os_wall_seconds());
		if (log == NULL)
			return -1;
	}
	mutex_lock(&the.lock);
	the.is_open = true;
	the.verbosity = options->verbosity;
	the.gui = options->gui || options->json;
	the.json = options->json;
	the.terminal[0] = os_is_terminal(STDOUT_FILENO);
	the.terminal[1] = os_is_terminal(STDERR_FILENO);
	the.log = log;
	screen_open();
	if (log != NULL && !options->log_waits && log_begin(log) < 0)
		drop_log();
	mutex_unlock(&the.lock);
	return 0;
}

bool report_log_stat(struct stat *st)
{
	bool waits;

	mutex_lock(&the.lock);
	waits = the.log != NULL && log_stat(the.log, st);
	mutex_unlock(&the.lock);
	return waits;
}

bool report_log_may_replace(void)
{
	bool may;

	mutex_lock(&the.lock);
	may = the.log == NULL || log_may_replace(the.log);
	mutex_unlock(&the.lock);
	return may;
}

void report_log_begin(void)
{
	mutex_lock(&the.lock);
	if (the.log != NULL && log_begin(the.log) < 0)
		drop_log();
	mutex_unlock(&the.lock);
}

int report_lost(void)
{
	int lost;

	mutex_lock(&the.lock);
	flush_stdout();
	lost = the.lost;
	mutex_unlock(&the.lock);
	return lost;
}

void report_name_files(enum report_names names, const char *(*dir_of)(const void *argument, const char *disk),
		       const void *argument)
{
	mutex_lock(&the.lock);
	text_name_files(names, dir_of, argument);
	mutex_unlock(&the.lock);
}

void report_flush(void)
{
	mutex_lock(&the.lock);
	flush_stdout();
	if (the.log != NULL && log_flush(the.log) < 0)
		drop_log();
	mutex_unlock(&the.lock);
}

void report_close(void)
{
	report_flush();
	mutex_lock(&the.lock);
	screen_erase();
	flush_stdout();
	log_close(the.log);
	the.log = NULL;
	the.is_open = false;
	the.verbosity = 0;
	the.gui = false;
	the.json = false;
	buf_done(&the.scratch);
	mutex_unlock(&the.lock);
}

bool report_has_log(void)
{
	bool has_log;

	mutex_lock(&the.lock);
	has_log = the.log != NULL || the.json;
	mutex_unlock(&the.lock);
	return has_log;
}

/* What report_open set is read without the lock: it runs before the threads start. */
bool report_verbose(void)
{
	return the.verbosity >= level_table[REPORT_VERBOSE].verbosity;
}

bool report_gui(void)
{
	return the.gui;
}

void report_moving(const char *text)
{
	mutex_lock(&the.lock);
	if (text == NULL)
		screen_erase();
	else if (the.is_open && !the.gui && the.verbosity >= level_table[REPORT_PROGRESS].verbosity &&
		 is_terminal(stdout))
		screen_move(text);
	flush_stdout();
	mutex_unlock(&the.lock);
}

unsigned report_moving_height(void)
{
	return screen_moving_height();
}
