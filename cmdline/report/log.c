/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/report.h"

struct log {
	char *path;
	FILE *file;		/* of a plain log */
	gzFile gz;		/* of a compressed one */
	bool is_stream;		/* stdout or stderr: not ours to close */
};

char *log_expand(const char *name, int64_t now)
{
	struct buf out = { 0 };
	time_t seconds = (time_t)now;
	struct tm local;

	localtime_r(&seconds, &local);
	for (; *name != '\0'; ++name) {
		if (*name != '%') {
			buf_char(&out, *name);
			continue;
		}
		switch (*++name) {
		case 'D':
			buf_printf(&out, "%04d%02d%02d", local.tm_year + 1900, local.tm_mon + 1,
				   local.tm_mday);
			break;
		case 'T':
			buf_printf(&out, "%02d%02d%02d", local.tm_hour, local.tm_min, local.tm_sec);
			break;
		case '%':
			buf_char(&out, '%');
			break;
		default:
			buf_done(&out);
			return NULL;
		}
	}
	return out.data != NULL ? out.data : mem_strdup("");
}

static bool ends_in_gz(const char *path)
{
	size_t length = strlen(path);

	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

static bool open_file(struct log *log, bool append)
{
	errno = 0;
	if (ends_in_gz(log->path)) {
		log->gz = gzopen(log->path, append ? "abe" : "wbe");
		return log->gz != NULL;
	}
	log->file = fopen(log->path, append ? "ae" : "we");
	return log->file != NULL;
}

struct log *log_open(const char *value, int64_t now)
{
	struct log *log = mem_zalloc(sizeof *log);
	const char *name = value;
	bool append = false;

	if (*name == '>')
		++name;
	if (name > value && *name == '>') {
		append = true;
		++name;
	}
	if (name > value && (strcmp(name, "&1") == 0 || strcmp(name, "&2") == 0)) {
		log->file = name[1] == '1' ? stdout : stderr;
		log->is_stream = true;
		log->path = mem_strdup(name);
		return log;
	}

	log->path = log_expand(name, now);
	if (log->path == NULL) {
		report(EV_LOG_NAME, value);
		free(log);
		return NULL;
	}
	if (!open_file(log, append)) {
		report(EV_LOG_OPEN, log->path, strerror(errno));
		free(log->path);
		free(log);
		return NULL;
	}
	return log;
}

const char *log_path(const struct log *log)
{
	return log->path;
}

/* zlib keeps the error of the system for itself. */
static int gz_result(gzFile gz, bool good)
{
	int code = Z_OK;

	if (good)
		return 0;
	gzerror(gz, &code);
	if (code != Z_ERRNO || errno == 0)
		errno = EIO;
	return -1;
}

int log_write(struct log *log, const char *data, size_t size)
{
	if (log->gz != NULL)
		return gz_result(log->gz, gzwrite(log->gz, data, (unsigned)size) == (int)size);
	return fwrite(data, 1, size, log->file) == size ? 0 : -1;
}

int log_flush(struct log *log)
{
	if (log->gz != NULL)
		return gz_result(log->gz, gzflush(log->gz, Z_SYNC_FLUSH) == Z_OK);
	return fflush(log->file) == 0 ? 0 : -1;
}

int log_close(struct log *log)
{
	int rc = 0;

	if (log == NULL)
		return 0;
	if (log->gz != NULL)
		rc = gzclose(log->gz) == Z_OK ? 0 : -1;
	else if (log->is_stream)
		rc = fflush(log->file) == 0 ? 0 : -1;
	else
		rc = fclose(log->file) == 0 ? 0 : -1;
	free(log->path);
	free(log);
	return rc;
}
