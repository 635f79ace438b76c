/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/report.h"

struct log {
	char *path;
	int fd;			/* until it begins; else -1 */
	struct buf held;	/* what is written until then */
	FILE *file;		/* of a plain log */
	gzFile gz;		/* of a compressed one */
	bool is_stream;		/* stdout or stderr: not ours to close */
	bool append;
	bool created;		/* here, and there is nothing in it */
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

struct log *log_open(const char *value, int64_t now)
{
	struct log *log = mem_zalloc(sizeof *log);
	const char *name = value;
	struct stat st;

	log->fd = -1;
	if (*name == '>')
		++name;
	if (name > value && *name == '>') {
		log->append = true;
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
	log->created = stat(log->path, &st) < 0;
	log->fd = open(log->path, O_WRONLY | O_CREAT | O_CLOEXEC | (log->append ? O_APPEND : 0), 0666);
	if (log->fd < 0) {
		report(EV_LOG_OPEN, log->path, strerror(errno));
		free(log->path);
		free(log);
		return NULL;
	}
	return log;
}

bool log_stat(const struct log *log, struct stat *st)
{
	return log->fd >= 0 && fstat(log->fd, st) == 0 && S_ISREG(st->st_mode);
}

bool log_may_replace(const struct log *log)
{
	static const char first_tag[] = "version:", gz_magic[] = "\x1f\x8b";
	char head[sizeof(first_tag) - 1];
	struct stat st;
	ssize_t size;
	int fd;

	if (log->created || !log_stat(log, &st) || st.st_size == 0)
		return true;
	fd = open(log->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	size = read(fd, head, sizeof(head));
	close(fd);
	if (ends_in_gz(log->path))
		return size >= 2 && memcmp(head, gz_magic, 2) == 0;
	return size == sizeof(head) && memcmp(head, first_tag, sizeof(head)) == 0;
}

int log_begin(struct log *log)
{
	int fd = log->fd, rc = 0;
	struct stat st;

	if (fd < 0)
		return 0;
	if (!log->append && log_stat(log, &st) && ftruncate(fd, 0) < 0)
		return -1;
	errno = ENOMEM;		/* the one reason for which zlib refuses here */
	if (ends_in_gz(log->path))
		log->gz = gzdopen(fd, log->append ? "ab" : "wb");
	else
		log->file = fdopen(fd, log->append ? "a" : "w");
	if (log->gz == NULL && log->file == NULL)
		return -1;
	log->fd = -1;
	log->created = false;
	if (log->held.size > 0)
		rc = log_write(log, log->held.data, log->held.size);
	buf_done(&log->held);
	return rc;
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
	if (log->fd >= 0) {
		buf_add(&log->held, data, size);
		return 0;
	}
	if (log->gz != NULL)
		return gz_result(log->gz, gzwrite(log->gz, data, (unsigned)size) == (int)size);
	return fwrite(data, 1, size, log->file) == size ? 0 : -1;
}

int log_flush(struct log *log)
{
	if (log->fd >= 0)
		return 0;
	if (log->gz != NULL)
		return gz_result(log->gz, gzflush(log->gz, Z_SYNC_FLUSH) == Z_OK);
	return fflush(log->file) == 0 ? 0 : -1;
}

int log_close(struct log *log)
{
	int rc = 0;

	if (log == NULL)
		return 0;
	if (log->fd >= 0) {
		rc = close(log->fd);
		if (log->created)
			unlink(log->path);
	} else if (log->gz != NULL) {
		rc = gzclose(log->gz) == Z_OK ? 0 : -1;
	} else if (log->is_stream) {
		rc = fflush(log->file) == 0 ? 0 : -1;
	} else {
		rc = fclose(log->file) == 0 ? 0 : -1;
	}
	buf_done(&log->held);
	free(log->path);
	free(log);
	return rc;
}
