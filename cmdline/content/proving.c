/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The other copies, read to their end. Loading looks at their last bytes at most, so that one that rots in between would
 * stay unnoticed, and be all that is left when the disks of the others are lost. A content file and a side file both end
 * with the CRC-32C of all before. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/crc32c.h"
#include "base/le.h"
#include "content/side.h"
#include "os/file.h"
#include "os/thread.h"
#include "report/report.h"

#define READ_BYTES	((size_t)1 << 18)	/* it stays in the cache of a core */
#define CRC_BYTES	4

/* One file of a copy. */
struct proof {
	char *path;		/* NULL: nothing is to be proven */
	int fd;
	int error;		/* errno: it cannot be read; 0: it can */
	bool damaged;		/* it can, and is not what was written */
};

struct lane {
	struct proving *proving;
	thread_t thread;
	struct proof content, side;
};

struct proving {
	struct lane *lane;
	unsigned count;
	struct binding binding;		/* of the copy in use, that the others are like */
	atomic_bool stopped;
};

static struct proof proof_open(char *path)
{
	struct proof proof = { .path = path, .fd = os_open_read(path) };

	proof.error = proof.fd < 0 ? errno : 0;
	return proof;
}

/* -1 with errno. `*tail` is what it ends with, `*crc` that of all before, `*begins` that it begins as a side file should. */
static int read_whole(struct proving *proving, int fd, uint64_t *size, uint32_t *crc, uint32_t *tail, bool *begins)
{
	uint8_t *data = mem_alloc(READ_BYTES);
	ssize_t got = 0;
	uint64_t at = 0;
	struct stat st;
	int rc = fstat(fd, &st);

	*size = rc == 0 ? (uint64_t)st.st_size : 0;
	*crc = *tail = 0;
	while (rc == 0 && at + CRC_BYTES < *size && !atomic_load(&proving->stopped)) {
		uint64_t left = *size - CRC_BYTES - at;

		got = os_pread_all(fd, data, left < READ_BYTES ? (size_t)left : READ_BYTES, at);
		if (got <= 0)
			break;
		if (at == 0)
			*begins = side_begins_as_of(data, (size_t)got, &proving->binding);
		*crc = crc32c(*crc, data, (size_t)got);
		at += (uint64_t)got;
	}
	if (rc == 0 && got >= 0)
		got = os_pread_all(fd, data, CRC_BYTES, at);
	if (got == CRC_BYTES)
		*tail = le32_load(data);
	free(data);
	return got < 0 ? -1 : rc;
}

static void prove(struct proving *proving, struct proof *proof, bool side)
{
	const struct binding *binding = &proving->binding;
	bool begins = false;
	uint64_t size;
	uint32_t crc, tail;

	if (proof->path == NULL || proof->error != 0)
		return;
	if (read_whole(proving, proof->fd, &size, &crc, &tail, &begins) < 0)
		proof->error = errno;
	else
		proof->damaged = crc != tail || (side ? !begins : size != binding->size || tail != binding->tail);
}

static void *lane_main(void *argument)
{
	struct lane *lane = argument;

	prove(lane->proving, &lane->content, false);
	prove(lane->proving, &lane->side, true);
	return NULL;
}

struct proving *proving_begin(const struct copy *copy, unsigned count, const struct copy *used, bool sides)
{
	struct proving *proving = mem_zalloc(sizeof(*proving));

	proving->binding = (struct binding){ used->tail, used->size };
	proving->lane = mem_zalloc((count + 1) * sizeof(*proving->lane));
	for (unsigned i = 0; i < count; i++) {
		struct lane *lane = &proving->lane[proving->count];

		/* Others are written again anyhow. */
		if (&copy[i] == used || copy[i].state != COPY_PRESENT || copy[i].damaged ||
		    copy[i].size != used->size || copy[i].tail != used->tail)
			continue;
		lane->proving = proving;
		lane->content = proof_open(mem_strdup(copy[i].path));
		if (sides && copy[i].settled)
			lane->side = proof_open(side_path(copy[i].path));
		thread_start(&lane->thread, lane_main, lane);
		proving->count++;
	}
	return proving;
}

/* false: it has to be written again. */
static bool proof_end(struct proof *proof, bool tell, enum event event)
{
	bool good = proof->path == NULL || (proof->error == 0 && !proof->damaged);
	char *why;

	if (tell && !good) {
		why = proof->error != 0 ? mem_printf("cannot be read: %s", strerror(proof->error)) :
					  mem_strdup("some of its bytes changed (its checksum is wrong)");
		report(event, proof->path, why);
		free(why);
	}
	if (proof->path != NULL)
		os_close(proof->fd);
	free(proof->path);
	return good;
}

static bool end(struct proving *proving, bool tell)
{
	bool good = true;

	for (unsigned i = 0; i < proving->count; i++) {
		struct lane *lane = &proving->lane[i];

		thread_join(lane->thread);
		good &= proof_end(&lane->content, tell, EV_CONTENT_ROTTEN);
		good &= proof_end(&lane->side, tell, EV_SIDE_ROTTEN);
	}
	free(proving->lane);
	free(proving);
	return good;
}

bool proving_end(struct proving *proving)
{
	return end(proving, true);
}

void proving_stop(struct proving *proving)
{
	if (proving == NULL)
		return;
	atomic_store(&proving->stopped, true);
	end(proving, false);
}
