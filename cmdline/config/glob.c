/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pattern becomes a list of tokens. A pattern that is not anchored begins with DIRS; one of a directory
 * ends in a slash and ANY, and is matched with "dir/" for the directory itself: so what is below needs no
 * case of its own.
 *
 * Matching goes once along the path and remembers two places to return to: the last STAR, and the last ANY or
 * DIRS. An earlier one of the same kind is never needed again: what it could still take in, the later one can
 * take in too. A STAR from before an ANY is not needed for the same reason, and a STAR never leaves its part
 * of the path. */
#include "config/glob.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"

enum token_kind {
	TOKEN_BYTE,
	TOKEN_ONE,	/* any byte but a slash */
	TOKEN_SET,	/* a byte of a set, never a slash */
	TOKEN_STAR,	/* a run without a slash */
	TOKEN_ANY,	/* a run */
	TOKEN_DIRS,	/* nothing, or a run that ends in a slash */
};

struct byte_set {
	uint64_t bits[4];
};

struct token {
	enum token_kind kind;
	unsigned char byte;
	unsigned set;
};

struct glob {
	struct token *token;
	struct byte_set *set;
	size_t token_count, token_room;
	size_t set_count, set_room;
	bool name_only;		/* not anchored, no slash: only the last part of the path matters */
	bool for_dirs;
	bool never;
};

static void set_add(struct byte_set *set, unsigned char byte)
{
	set->bits[byte / 64] |= (uint64_t)1 << byte % 64;
}

static bool set_has(const struct byte_set *set, unsigned char byte)
{
	return (set->bits[byte / 64] >> byte % 64 & 1) != 0;
}

static void add_token(struct glob *glob, enum token_kind kind, char byte)
{
	mem_grow(&glob->token, glob->token_count, &glob->token_room, sizeof *glob->token);
	glob->token[glob->token_count++] = (struct token){ .kind = kind, .byte = (unsigned char)byte };
}

static void add_set(struct glob *glob, const struct byte_set *set)
{
	mem_grow(&glob->set, glob->set_count, &glob->set_room, sizeof *glob->set);
	add_token(glob, TOKEN_SET, 0);
	glob->token[glob->token_count - 1].set = (unsigned)glob->set_count;
	glob->set[glob->set_count++] = *set;
}

/* "[:digit:]" at `at`. Returns what follows it, NULL if there is no such thing there. */
static const char *read_class(const char *at, const char *end, struct byte_set *set)
{
	static const struct {
		const char *name;
		int (*has)(int);
	} table[] = {
		{ "[:alnum:]", isalnum }, { "[:alpha:]", isalpha }, { "[:blank:]", isblank },
		{ "[:cntrl:]", iscntrl }, { "[:digit:]", isdigit }, { "[:graph:]", isgraph },
		{ "[:lower:]", islower }, { "[:print:]", isprint }, { "[:punct:]", ispunct },
		{ "[:space:]", isspace }, { "[:upper:]", isupper }, { "[:xdigit:]", isxdigit },
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
		size_t length = strlen(table[i].name);

		if ((size_t)(end - at) < length || memcmp(at, table[i].name, length) != 0)
			continue;
		for (int byte = 0; byte < 256; ++byte)
			if (table[i].has(byte))
				set_add(set, (unsigned char)byte);
		return at + length;
	}
	return NULL;
}

/* The set whose bracket opens at `at`. Returns what follows it, NULL if it is not closed before `end`. */
static const char *read_set(const char *at, const char *end, struct byte_set *set)
{
	bool negated = false, first = true;

	*set = (struct byte_set){ 0 };
	++at;
	if (at < end && (*at == '!' || *at == '^')) {
		negated = true;
		++at;
	}
	for (; at < end && (*at != ']' || first); first = false) {
		const char *after = read_class(at, end, set);
		unsigned char low, high;

		if (after != NULL) {
			at = after;
			continue;
		}
		if (*at == '\\' && at + 1 < end)
			++at;
		low = high = (unsigned char)*at++;
		if (at + 1 < end && *at == '-' && at[1] != ']') {
			++at;
			if (*at == '\\' && at + 1 < end)
				++at;
			high = (unsigned char)*at++;
		}
		for (unsigned byte = low; byte <= high; ++byte)
			set_add(set, (unsigned char)byte);
	}
	if (at >= end)
		return NULL;
	if (negated)
		for (unsigned i = 0; i < 4; ++i)
			set->bits[i] = ~set->bits[i];
	set->bits['/' / 64] &= ~((uint64_t)1 << '/' % 64);
	return at + 1;
}

/* One part of a path, between slashes. `slash_before` and `slash_after` say whether a slash of the pattern
 * (not the one that anchors it) is beside it. false: the escape at its end escapes nothing. */
static bool compile_part(struct glob *glob, const char *at, const char *end, bool slash_before,
			 bool slash_after)
{
	const char *begin = at;
	struct byte_set set;
	const char *after;
	size_t stars;

	while (at < end) {
		switch (*at) {
		case '\\':
			if (++at == end)
				return false;
			add_token(glob, TOKEN_BYTE, *at++);
			break;
		case '?':
			add_token(glob, TOKEN_ONE, 0);
			++at;
			break;
		case '*':
			for (stars = 0; at < end && *at == '*'; ++stars)
				++at;
			if (stars > 1 &&
			    ((at - (long)stars == begin && slash_before) || (at == end && slash_after)))
				add_token(glob, TOKEN_ANY, 0);
			else
				add_token(glob, TOKEN_STAR, 0);
			break;
		case '[':
			after = read_set(at, end, &set);
			if (after != NULL) {
				add_set(glob, &set);
				at = after;
				break;
			}
			/* fall through */
		default:
			add_token(glob, TOKEN_BYTE, *at++);
			break;
		}
	}
	return true;
}

static bool is_double_star(const char *at, const char *end)
{
	size_t length = (size_t)(end - at);

	return length > 1 && strspn(at, "*") >= length;
}

/* The parts from `at` to `end`, joined by slashes. NULL, or why not. */
static const char *compile_parts(struct glob *glob, const char *at, const char *end, enum glob_syntax syntax)
{
	bool first = true;

	for (;; first = false) {
		const char *slash = memchr(at, '/', (size_t)(end - at));
		const char *part_end = slash != NULL ? slash : end;
		bool has_next = slash != NULL || glob->for_dirs;

		if (part_end == at)
			return "it has an empty part";
		if (strspn(at, ".") >= (size_t)(part_end - at))
			return "it has a part that is only dots";
		if (syntax == GLOB_LITERAL) {
			while (at < part_end)
				add_token(glob, TOKEN_BYTE, *at++);
		} else if (is_double_star(at, part_end)) {
			add_token(glob, has_next ? TOKEN_DIRS : TOKEN_ANY, 0);
			has_next = false;	/* DIRS has that slash in it */
		} else if (!compile_part(glob, at, part_end, !first, has_next)) {
			return "it ends in a backslash that escapes nothing";
		}
		if (has_next)
			add_token(glob, TOKEN_BYTE, '/');
		if (slash == NULL)
			return NULL;
		at = slash + 1;
	}
}

static bool is_only_dirs(const struct glob *glob)
{
	for (size_t i = 0; i < glob->token_count; ++i)
		if (glob->token[i].kind != TOKEN_DIRS)
			return false;
	return true;
}

static const char *compile_path(struct glob *glob, const char *pattern, enum glob_syntax syntax)
{
	const char *end = pattern + strlen(pattern);
	bool anchored = pattern[0] == '/';
	const char *why;

	if (strcmp(pattern, "/") == 0) {
		glob->never = true;
		return NULL;
	}
	if (anchored)
		++pattern;
	if (end > pattern && end[-1] == '/') {
		glob->for_dirs = true;
		--end;
	}
	glob->name_only =
		!anchored && !glob->for_dirs && memchr(pattern, '/', (size_t)(end - pattern)) == NULL;
	if (!anchored && !glob->name_only)
		add_token(glob, TOKEN_DIRS, 0);
	why = compile_parts(glob, pattern, end, syntax);
	if (glob->for_dirs) {
		if (is_only_dirs(glob)) {	/* any directory, but there must be one: the root is none */
			add_token(glob, TOKEN_STAR, 0);
			add_token(glob, TOKEN_BYTE, '/');
		}
		add_token(glob, TOKEN_ANY, 0);
	}
	return why;
}

struct glob *glob_compile(const char *pattern, enum glob_syntax syntax, const char **why)
{
	struct glob *glob = mem_zalloc(sizeof *glob);
	const char *reason = NULL;

	if (pattern[0] == '\0')
		reason = "it is empty";
	else if (syntax != GLOB_NAME)
		reason = compile_path(glob, pattern, syntax);
	else if (!compile_part(glob, pattern, pattern + strlen(pattern), false, false))
		reason = "it ends in a backslash that escapes nothing";
	if (reason != NULL) {
		if (why != NULL)
			*why = reason;
		glob_free(glob);
		return NULL;
	}
	return glob;
}

void glob_free(struct glob *glob)
{
	if (glob == NULL)
		return;
	free(glob->token);
	free(glob->set);
	free(glob);
}

static bool token_takes(const struct glob *glob, const struct token *token, char byte)
{
	switch (token->kind) {
	case TOKEN_BYTE:
		return token->byte == (unsigned char)byte;
	case TOKEN_ONE:
		return byte != '/';
	case TOKEN_SET:
		return set_has(&glob->set[token->set], (unsigned char)byte);
	case TOKEN_STAR:
	case TOKEN_ANY:
	case TOKEN_DIRS:
		break;
	}
	return false;
}

/* A place to return to: `token` is the one after the run, `at` where it is tried next. */
struct retry {
	const struct token *token;	/* NULL: no such place */
	const char *at;
	bool is_dirs;
};

/* Let the run take in more. false: it cannot. */
static bool retry_star(struct retry *star, const char *end)
{
	if (star->token == NULL || star->at == end || *star->at == '/')
		return false;
	++star->at;
	return true;
}

static bool retry_any(struct retry *any, const char *end)
{
	if (any->token == NULL || any->at == end)
		return false;
	if (any->is_dirs) {
		any->at = memchr(any->at, '/', (size_t)(end - any->at));
		if (any->at == NULL)
			return false;
	}
	++any->at;
	return true;
}

static bool match_bytes(const struct glob *glob, const char *at, const char *end)
{
	const struct token *token = glob->token;
	const struct token *last = token + glob->token_count;
	struct retry star = { 0 }, any = { 0 };

	for (;;) {
		if (token < last && token->kind == TOKEN_STAR) {
			star = (struct retry){ .token = ++token, .at = at };
		} else if (token < last && token->kind >= TOKEN_ANY) {
			any = (struct retry){
				.token = token + 1, .at = at, .is_dirs = token->kind == TOKEN_DIRS,
			};
			star.token = NULL;
			if (++token == last && !any.is_dirs)
				return true;
		} else if (token == last && at == end) {
			return true;
		} else if (token < last && at < end && token_takes(glob, token, *at)) {
			++token;
			++at;
		} else if (retry_star(&star, end)) {
			token = star.token;
			at = star.at;
		} else if (retry_any(&any, end)) {
			star.token = NULL;
			token = any.token;
			at = any.at;
		} else {
			return false;
		}
	}
}

bool glob_match(const struct glob *glob, const char *path, bool is_dir)
{
	struct buf with_slash = { 0 };
	bool matches;

	if (glob->never || (is_dir && !glob->for_dirs))
		return false;
	if (glob->name_only)
		path = path_name(path);
	if (!is_dir)
		return match_bytes(glob, path, path + strlen(path));
	buf_str(&with_slash, path);
	buf_char(&with_slash, '/');
	matches = match_bytes(glob, with_slash.data, with_slash.data + with_slash.size);
	buf_done(&with_slash);
	return matches;
}
