/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only way out: everything the program says is an event, told once and rendered as text on the
 * screen and as a tag in the log.
 *
 * event.def lists every event: EVENT(NAME, LEVEL, "tag", "text"). {0} {1} ... stand for the fields in
 * their order; "{0:8}" right-aligns in 8 columns, "{0:02}" fills with zeros, "{0:.1}" gives a float one
 * decimal, "{0:8.1}" both; "{1@0}" is the name of a file in field 1, on the disk in field 0; "{0:e}" escapes
 * a name for a shell (text only), "{0:q}" puts it between single quotes unescaped but for control bytes (text
 * only); "{{" is a brace. The newline at the end is added; one in a text is one more line, one in a tag is one
 * more tag. A field that begins with a blank is the text behind the fields. Strings in a tag are always escaped as
 * interface.md 6.2 says. A NULL text is for the log only; a NULL tag is logged as "msg:LEVEL: TEXT".
 *
 * Threads:	any; one lock, one event is one piece of output.
 * The report is one of the three globals of the process. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <sys/stat.h>

#include "base/types.h"

/* Where text goes and what removes it: interface.md 4. */
enum report_level {
	REPORT_FATAL,	/* stderr, always */
	REPORT_ERROR,	/* stderr; only the log when there is one */
	REPORT_EXPECTED,	/* only the log */
	REPORT_REPORT,	/* stdout, never removed: the answer of status, list, ... */
	REPORT_STATUS,	/* stdout, removed by -qqqq */
	REPORT_INFO,	/* stdout, removed by -qqq */
	REPORT_OPERATION,	/* stdout, removed by -qq */
	REPORT_PROGRESS,	/* stdout, removed by -q */
	REPORT_VERBOSE,	/* stdout, shown by -v */
	REPORT_LOG,	/* no text, only the tag */
};

enum event {
#define EVENT(name, level, tag, text) EV_##name,
#include "report/event.def"
#undef EVENT
	EV_COUNT
};

/* One field of an event. Made by FIELD from any integer, double or string. */
struct field {
	enum { FIELD_SIGNED, FIELD_UNSIGNED, FIELD_DOUBLE, FIELD_STRING } kind;
	union {
		int64_t i;
		uint64_t u;
		double d;
		const char *s;
	};
};

static inline struct field field_i(int64_t v)
{
	return (struct field){ .kind = FIELD_SIGNED, .i = v };
}
static inline struct field field_u(uint64_t v)
{
	return (struct field){ .kind = FIELD_UNSIGNED, .u = v };
}
static inline struct field field_d(double v)
{
	return (struct field){ .kind = FIELD_DOUBLE, .d = v };
}
static inline struct field field_s(const char *v)
{
	return (struct field){ .kind = FIELD_STRING, .s = v };
}

#define FIELD(x)                                                                                              \
	_Generic((x),                                                                                         \
		char *: field_s, const char *: field_s,                                                       \
		float: field_d, double: field_d,                                                              \
		unsigned char: field_u, unsigned short: field_u, unsigned: field_u,                           \
		unsigned long: field_u, unsigned long long: field_u,                                          \
		default: field_i)(x)

/* The fields after the event `e`, each in its FIELD. */
#define FIELDS_0(e) { .kind = FIELD_SIGNED }	/* no field is read; an array needs one */
#define FIELDS_1(e, a) FIELD(a)
#define FIELDS_2(e, a, ...) FIELD(a), FIELDS_1(e, __VA_ARGS__)
#define FIELDS_3(e, a, ...) FIELD(a), FIELDS_2(e, __VA_ARGS__)
#define FIELDS_4(e, a, ...) FIELD(a), FIELDS_3(e, __VA_ARGS__)
#define FIELDS_5(e, a, ...) FIELD(a), FIELDS_4(e, __VA_ARGS__)
#define FIELDS_6(e, a, ...) FIELD(a), FIELDS_5(e, __VA_ARGS__)
#define FIELDS_7(e, a, ...) FIELD(a), FIELDS_6(e, __VA_ARGS__)
#define FIELDS_8(e, a, ...) FIELD(a), FIELDS_7(e, __VA_ARGS__)
#define FIELDS_9(e, a, ...) FIELD(a), FIELDS_8(e, __VA_ARGS__)
#define FIELDS_10(e, a, ...) FIELD(a), FIELDS_9(e, __VA_ARGS__)
#define FIELDS_11(e, a, ...) FIELD(a), FIELDS_10(e, __VA_ARGS__)
#define FIELDS_12(e, a, ...) FIELD(a), FIELDS_11(e, __VA_ARGS__)
#define FIELDS_N(e, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, N, ...) FIELDS_##N
#define FIELDS_COUNT(e, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, N, ...) N
#define FIELDS_EVENT(e, ...) e

/* report(EV_SCAN_ADD, disk->name, file->path); up to 12 fields. */
#define report(...)                                                                                           \
	report_event(FIELDS_EVENT(__VA_ARGS__, 0),                                                            \
		     FIELDS_COUNT(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0), \
		     (const struct field[]){                                                                  \
			     FIELDS_N(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)(__VA_ARGS__) })

void report_event(enum event event, unsigned count, const struct field *fields);

struct report_options {
	int verbosity;		/* number of -v minus number of -q */
	const char *log;	/* value of -l, NULL: none. interface.md 6.1; a name ending in .gz is compressed */
	bool gui;		/* progress as run:pos tags in the log, none on the screen */
	bool json;		/* stdout gets what the log has, as lines of JSON, and no text; progress as with gui */
	bool log_waits;		/* for report_log_begin(): until then the file of the log is as it was */
};

/* Before it only FATAL and REPORT text works (to stderr, stdout). -1: the log cannot be opened, said. */
int report_open(const struct report_options *options);
/* How names of files are told on the screen (--test-fmt). `dir_of` gives the directory of a disk, with a '/' at its
 * end, or NULL. Before the threads start. */
enum report_names { NAMES_IN_DISK = 'f', NAMES_WITH_DISK = 'd', NAMES_FULL = 'p' };
void report_name_files(enum report_names names, const char *(*dir_of)(const void *argument, const char *disk),
		       const void *argument);
/* The file of a log that waits; false: none does, or it is no regular file. */
bool report_log_stat(struct stat *st);
bool report_log_may_replace(void);	/* is nothing but a log lost with it? */
void report_log_begin(void);
/* The errno of the first text that could not be written to stdout, 0 if all is there. Flushes. */
int report_lost(void);
void report_flush(void);
void report_close(void);
bool report_has_log(void);		/* does anything get the tags? */
bool report_verbose(void);		/* is REPORT_VERBOSE text shown? */
bool report_gui(void);
/* Put `text` in place of the moving text of a terminal; NULL erases it. Does nothing where stdout is no
 * terminal or progress is not wanted there. Any other text erases it first, by itself. */
void report_moving(const char *text);
unsigned report_moving_height(void);	/* lines of it that fit; 1: a single line only */

/* Errors met in this run, counted by class as events are reported by the jobs. */
struct error_counts {
	uint64_t soft, io, data;	/* a file that changed or is missing; hardware; silent corruption */
	uint64_t recovered, unrecoverable;
};

#endif
