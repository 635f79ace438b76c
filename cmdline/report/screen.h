/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only a terminal gets: the moving text at its end, and colours.
 *
 * Threads: one at a time; report.c calls it with its lock held. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "base/buf.h"

/* Find out what the terminal on stdout can. No colours with NO_COLOR in the environment or a dumb terminal. */
void screen_open(void);
unsigned screen_moving_height(void);	/* lines of moving text that fit; 1: a single line */
/* Print `text` in place of the moving text; its lines are cut at the width. */
void screen_move(const char *text);
void screen_erase(void);
/* Break what begins at `begin` of `out` at blanks, so that no line is longer than the terminal is wide, if it can.
 * Blanks behind a backslash stay: a name can be copied. */
void screen_wrap(struct buf *out, size_t begin, unsigned width);
/* Surround the text that begins at `begin` of `out` with the colour that its first words ask for. */
void screen_colour(struct buf *out, size_t begin);

#endif
