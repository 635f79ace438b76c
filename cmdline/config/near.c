/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/near.h"

#include <ctype.h>
#include <string.h>

#define LENGTH_MAX	31	/* longer words are nobody's typing error */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned near_distance(const char *a, const char *b)
{
	unsigned row[LENGTH_MAX + 1][LENGTH_MAX + 1];
	size_t a_length = strlen(a), b_length = strlen(b);

	if (a_length > LENGTH_MAX || b_length > LENGTH_MAX)
		return NEAR_NONE;
	/* row[i][j]: from the first i letters of a to the first j of b */
	for (size_t i = 0; i <= a_length; ++i) {
		for (size_t j = 0; j <= b_length; ++j) {
			if (i == 0 || j == 0) {
				row[i][j] = (unsigned)(i + j);
				continue;
			}
			row[i][j] = least(least(row[i - 1][j], row[i][j - 1]) + 1,
					  row[i - 1][j - 1] + !is_same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
				row[i][j] = least(row[i][j], row[i - 2][j - 2] + 1);
		}
	}
	return row[a_length][b_length];
}

bool near_is_better(const char *typed, const char *word, unsigned *best)
{
	unsigned distance = near_distance(typed, word);

	/* Half of a short word changed is another word. */
	if (distance > 2 || distance * 2 >= strlen(word) || distance >= *best)
		return false;
	*best = distance;
	return true;
}
