/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration while it is read: what keyword.c fills and check.c looks at as a whole. */
#ifndef CONFIG_PARSER_H
#define CONFIG_PARSER_H

#include "config/config.h"

struct parser {
	struct config *config;
	const char *path;	/* of the configuration, for messages */
	unsigned line;		/* from 1 */
	const char *word;	/* the directive at hand */
	const struct keyword *keyword;	/* ... and its row of the table; NULL: there is none of that name */

	/* What a message may need and the configuration does not keep. */
	unsigned *content_line;
	unsigned share_line;
	size_t disk_room, extra_room, content_room, content_line_room, smart_ignore_room;
};

/* One directive: `word` and its value, with no blanks around. -1: it was said what is wrong. */
int keyword_parse(struct parser *parser, const char *word, char *value);

/* What only the whole can tell. -1: it was said. */
int config_check(const struct parser *parser);

#endif
