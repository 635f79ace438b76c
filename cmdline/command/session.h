/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every command works on, opened once and as far as the command needs.
 *
 * It opens and closes, it computes nothing. */
#ifndef COMMAND_SESSION_H
#define COMMAND_SESSION_H

#include "array/array.h"
#include "config/config.h"
#include "config/options.h"
#include "content/content.h"
#include "io/parity.h"
#include "report/report.h"

enum session_need {
	NEED_LOCK = 1,		/* only one such command at a time */
	NEED_CONTENT = 2,	/* the content file is loaded */
	NEED_DATA = 4,		/* the data disks must be there, one device each; their UUIDs are looked at */
	NEED_PARITY = 8,	/* the directories of the parity files too */
	NEED_COPIES = 16,	/* enough content copies on different devices */
	ALLOW_MISSING = 32,	/* with -D a disk or parity directory that is not there is a fact, not an error */
	PROVE_COPIES = 128,	/* all content copies are read to their end, while the work goes on: session_prove_copies */
	ONLY_SHOWS = 64,	/* nothing is written: modes, owners and the like are not read, the lock is taken if possible */
};

struct thermal;

struct session {
	const struct config *config;
	const struct options *options;
	struct array *array;		/* NULL without NEED_CONTENT */
	struct content *content;
	char *content_name;		/* of the content file that marks of levels may name (io/parity.h); NULL: none was loaded */
	enum content_result content_result;
	int lock_fd;
	int root_fd[COLUMN_MAX];	/* by column: root directory of the data disk; -1: not there */
	bool level_missing[LEVEL_MAX];	/* the directory of a file of it is not there (only with ALLOW_MISSING and -D) */
	struct error_counts errors;	/* counted by the jobs of this run */
	uint64_t left_out;		/* of errors.soft: files for which the parity has no room, or with too long a path */
	unsigned unset_told;		/* see stripe/unset.h */
	struct thermal *thermal;	/* started by pace_begin; NULL: nobody watches the temperature */
};

/* -1: refused; said. session_close releases whatever was opened, also after a failure. */
int session_open(struct session *session, const struct config *config, const struct options *options,
		 unsigned needs);
void session_close(struct session *session);

/* With PROVE_COPIES: tell which copies are damaged, and set array->changed for them. It may wait for their disks. */
void session_prove_copies(struct session *session);
/* Write the content copies (unless --test-skip-content-write) and clear array->changed. -1: said, and it stays set. */
int session_save(struct session *session);
/* The same in two halves; see content.h. `*saving` is NULL if there is nothing to be saved. */
int session_save_begin(struct session *session, struct saving **saving);

/* Open every level for the command. A level that cannot be opened: said; if `required` that is -1 (all are
 * closed again), else parity[l] stays NULL and errors.soft is counted. */
int session_open_parity(struct session *session, enum parity_mode mode, bool required,
			struct parity *parity[LEVEL_MAX]);
void session_close_parity(struct parity *parity[LEVEL_MAX]);
/* fsync of all levels. -1: said. */
int session_sync_parity(struct session *session, struct parity *const parity[LEVEL_MAX]);

#endif
