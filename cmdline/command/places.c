/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path.h"
#include "os/file.h"
#include "os/fs.h"

/* A directory that must not share its device, with the words to name it by. */
struct claim {
	const char *what, *name, *dir;
	uint64_t device;
	int level;		/* splits of one level may share; -1: a data disk */
	unsigned line;		/* in the configuration */
};

static int stat_device(const char *path, uint64_t *device)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -1;
	*device = st.st_dev;
	return 0;
}

static bool may_miss(const struct options *options, unsigned needs)
{
	/* With --to nothing is written to a disk: one that is not there is what it is for. */
	return (needs & ALLOW_MISSING) && (options->force_device || options->to != NULL);
}

/* A directory is not there: say so. -1 unless that is allowed. */
static int missing(const struct claim *claim, const struct config *config, const struct options *options, unsigned needs)
{
	enum event event = may_miss(options, needs)	? EV_DIR_SKIPPED
			   : (needs & ALLOW_MISSING)	? EV_DIR_MISSING_FORCE
							: EV_DIR_MISSING;

	report(event, claim->what, claim->name, claim->dir, strerror(errno), config->path, claim->line);
	return event == EV_DIR_SKIPPED ? 0 : -1;
}

static void probe(struct place_dir *place, const char *path)
{
	struct os_fs fs;

	if (os_fs_probe(path, &fs) < 0) {
		place->uuid = mem_strdup("");
		place->kind = mem_strdup("");
		return;
	}
	place->uuid = mem_strdup(fs.uuid);
	place->kind = mem_strdup(fs.kind);
	os_fs_done(&fs);
}

static int open_data(struct places *places, const struct config *config, const struct options *options, unsigned needs)
{
	for (unsigned d = 0; d < config->disk_count; ++d) {
		struct place_dir *place = &places->data[d];
		const struct config_disk *disk = &config->disk[d];

		if (stat_device(disk->dir, &place->device) == 0)
			place->fd = os_open_dir(disk->dir);
		place->there = place->fd >= 0;
		if (!place->there) {
			struct claim claim = { "data disk", disk->name, disk->dir, 0, -1, disk->line };

			if (missing(&claim, config, options, needs) < 0)
				return -1;
			continue;
		}
		probe(place, disk->dir);
		if (options->test.fake_uuid && d < 2) {
			free(place->uuid);
			place->uuid = mem_printf("fake-uuid-%u", 2 - d);
		}
	}
	return 0;
}

static int open_parity(struct places *places, const struct config *config, const struct options *options,
		       unsigned needs)
{
	for (level_t l = 0; l < config->level_count; ++l) {
		for (unsigned s = 0; s < config->level[l].split_count; ++s) {
			struct place_dir *place = &places->split[l][s];
			char *dir = path_dir(config->level[l].path[s]);
			int rc = 0;

			place->there = stat_device(dir, &place->device) == 0;
			if (place->there) {
				probe(place, dir);
			} else {
				struct claim claim = { "parity", config_level_name(config, l), dir, 0, (int)l,
						       config->level[l].line };

				places->level_missing[l] = true;
				rc = missing(&claim, config, options, needs);
			}
			free(dir);
			if (rc < 0)
				return -1;
		}
	}
	return 0;
}

static bool claims_clash(const struct claim *a, const struct claim *b)
{
	return a->device == b->device && (a->level != b->level || a->level < 0);
}

static unsigned collect_claims(const struct places *places, const struct config *config, struct claim *claims)
{
	unsigned count = 0;

	for (unsigned d = 0; d < config->disk_count; ++d)
		if (places->data[d].there)
			claims[count++] = (struct claim){ "data disk", config->disk[d].name, config->disk[d].dir,
							  places->data[d].device, -1, config->disk[d].line };
	for (level_t l = 0; l < config->level_count; ++l)
		for (unsigned s = 0; s < config->level[l].split_count; ++s)
			if (places->split[l][s].there)
				claims[count++] = (struct claim){ "parity", config_level_name(config, l),
								  config->level[l].path[s],
								  places->split[l][s].device, (int)l,
								  config->level[l].line };
	return count;
}

static int check_devices(const struct places *places, const struct config *config, const struct options *options,
			 unsigned needs)
{
	struct claim *claims = mem_alloc(sizeof(*claims) * (COLUMN_MAX + LEVEL_MAX * SPLIT_MAX));
	unsigned count = collect_claims(places, config, claims);
	bool forced = may_miss(options, needs);
	uint64_t pool;
	int rc = 0;

	for (unsigned a = 0; a < count && rc == 0; ++a)
		for (unsigned b = a + 1; b < count && rc == 0; ++b) {
			enum event event = forced			? EV_SAME_DEVICE_WARN
					   : (needs & ALLOW_MISSING)	? EV_SAME_DEVICE_FORCE
									: EV_SAME_DEVICE;

			if (!claims_clash(&claims[a], &claims[b]))
				continue;
			report(event, claims[a].what, claims[a].name, claims[b].what, claims[b].name,
			       claims[a].dir, claims[b].dir);
			rc = forced ? 0 : -1;
		}
	if (rc == 0 && config->pool != NULL && stat_device(config->pool, &pool) == 0)
		for (unsigned a = 0; a < count && rc == 0; ++a)
			if (claims[a].device == pool) {
				report(EV_POOL_DEVICE, config->pool, claims[a].what, claims[a].name);
				rc = -1;
			}
	free(claims);
	return rc;
}

/* Directories of the content copies, and how many devices they are spread over. */
static int check_content(const struct config *config, const struct options *options, unsigned needs)
{
	uint64_t *device = mem_alloc(sizeof(*device) * (config->content_count + 1));
	bool shared_told = false;
	unsigned distinct = 0;
	int rc = 0;

	for (unsigned i = 0; i < config->content_count && rc == 0; ++i) {
		char *dir = path_dir(config->content[i]);
		uint64_t here;
		unsigned k;

		if (stat_device(dir, &here) < 0) {
			bool skip = (needs & ALLOW_MISSING) != 0;

			report(skip ? EV_CONTENT_DIR_SKIPPED : EV_CONTENT_DIR, config->content[i], strerror(errno));
			rc = skip ? 0 : -1;
			free(dir);
			continue;
		}
		free(dir);
		for (k = 0; k < distinct && device[k] != here; ++k)
			;
		if (k == distinct)
			device[distinct++] = here;
		else if (!options->test.skip_device && !options->no_warnings && !shared_told) {
			report(EV_CONTENT_SHARED, config->content[k], config->content[i]);
			shared_told = true;
		}
	}
	free(device);
	if (rc == 0 && (needs & NEED_COPIES) && !options->test.skip_device && distinct < config->level_count + 1) {
		report(EV_CONTENT_COPIES, config->level_count + 1, distinct);
		rc = -1;
	}
	return rc;
}

/* Two names of one file, by a link or "..": content and parity would overwrite each other. Only files that are there
 * can be told. */
static int check_same_file(const struct config *config)
{
	unsigned most = config->content_count + LEVEL_MAX * SPLIT_MAX, count = 0;
	const char **path = mem_alloc((most + 1) * sizeof(*path));
	struct stat *st = mem_alloc((most + 1) * sizeof(*st));
	int rc = 0;

	for (unsigned i = 0; i < config->content_count; ++i)
		path[count++] = config->content[i];
	for (level_t l = 0; l < config->level_count; ++l)
		for (unsigned s = 0; s < config->level[l].split_count; ++s)
			path[count++] = config->level[l].path[s];
	for (unsigned i = 0; i < count; ++i) {
		if (stat(path[i], &st[i]) < 0)
			st[i].st_ino = 0;
		for (unsigned k = 0; k < i && st[i].st_ino != 0 && rc == 0; ++k)
			if (st[k].st_ino == st[i].st_ino && st[k].st_dev == st[i].st_dev) {
				report(EV_SAME_FILE, path[k], path[i]);
				rc = -1;
			}
	}
	free(path);
	free(st);
	return rc;
}

int places_open(struct places *places, const struct config *config, const struct options *options, unsigned needs)
{
	struct stat st;

	memset(places, 0, sizeof(*places));
	for (unsigned d = 0; d < COLUMN_MAX; ++d)
		places->data[d].fd = -1;
	if (config->pool != NULL && stat(config->pool, &st) < 0) {
		report(EV_NO_POOL_DIR, config->pool, strerror(errno), config->path, config->pool_line);
		return -1;
	}
	if (check_same_file(config) < 0 || check_content(config, options, needs) < 0)
		return -1;
	if ((needs & NEED_DATA) && !options->test.skip_disk_access && open_data(places, config, options, needs) < 0)
		return -1;
	if ((needs & NEED_PARITY) && !options->test.skip_parity_access && open_parity(places, config, options, needs) < 0)
		return -1;
	return options->test.skip_device ? 0 : check_devices(places, config, options, needs);
}

static void place_done(struct place_dir *place)
{
	os_close(place->fd);
	free(place->uuid);
	free(place->kind);
}

void places_close(struct places *places)
{
	for (unsigned d = 0; d < COLUMN_MAX; ++d)
		place_done(&places->data[d]);
	for (level_t l = 0; l < LEVEL_MAX; ++l)
		for (unsigned s = 0; s < SPLIT_MAX; ++s) {
			places->split[l][s].fd = -1;
			place_done(&places->split[l][s]);
		}
}
