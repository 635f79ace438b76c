/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/identity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "os/fs.h"

/* The file system of a data disk, or of a file of a level. */
struct volume {
	const char *what, *name, *path;
	char **recorded;		/* its UUID in the content file, "" unknown */
	const char *now;		/* ... found now, "" unknown; NULL: not looked */
	const struct place_dir *place;
};

struct volumes {
	struct volume volume[COLUMN_MAX + LEVEL_MAX * SPLIT_MAX];
	unsigned count;
	unsigned first_parity;		/* of those of the levels; before it are the data disks */
};

static void collect(struct volumes *volumes, const struct session *session, const struct places *places)
{
	struct array *array = session->array;

	volumes->count = 0;
	for (unsigned d = 0; d < array->disk_count; ++d) {
		struct disk *disk = array->disk[d];

		volumes->volume[volumes->count++] = (struct volume){
			"data disk", disk->name, disk->dir, &disk->uuid, disk->uuid_now, &places->data[d],
		};
	}
	volumes->first_parity = volumes->count;
	for (level_t l = 0; l < array->level_count; ++l)
		for (unsigned s = 0; s < array->level[l].split_count; ++s) {
			struct split *split = &array->level[l].split[s];

			volumes->volume[volumes->count++] = (struct volume){
				"parity", array->level[l].name, split->path, &split->uuid, split->uuid_now,
				&places->split[l][s],
			};
		}
}

static bool uuid_tells(const char *recorded, const char *now)
{
	return now != NULL && *now != '\0' && *recorded != '\0';
}

static bool uuid_differs(const char *recorded, const char *now)
{
	return uuid_tells(recorded, now) && strcmp(recorded, now) != 0;
}

/* It had a file system of its own, and its directory now lies on the system disk: it is not mounted. fix would fill the
 * system disk, and sync take all its files for deleted. */
static bool is_left_on_system(const struct volume *volume, uint64_t system_device)
{
	return volume->place->there && **volume->recorded != '\0' && volume->now != NULL &&
	       strcmp(*volume->recorded, volume->now) != 0 && volume->place->device == system_device;
}

static int check_mounted(const struct session *session, const struct volumes *volumes)
{
	struct stat st;
	int rc = 0;

	if (session->options->force_uuid || session->options->test.skip_device || stat("/", &st) < 0)
		return 0;
	for (unsigned i = 0; i < volumes->count; ++i) {
		const struct volume *volume = &volumes->volume[i];

		if (!is_left_on_system(volume, st.st_dev))
			continue;
		report(EV_NOT_MOUNTED, volume->what, volume->name, volume->path);
		rc = -1;
	}
	return rc;
}

static bool has_changed(const struct volume *volume)
{
	return uuid_differs(*volume->recorded, volume->now);
}

/* The one that had the disk of this one at the last sync, and has it no more: two may share a file system. NULL: none. */
static const struct volume *former_place(const struct volumes *volumes, const struct volume *volume)
{
	for (unsigned i = 0; i < volumes->count; ++i) {
		const struct volume *other = &volumes->volume[i];

		if (other != volume && strcmp(*other->recorded, volume->now) == 0 &&
		    (other->now == NULL || strcmp(other->now, volume->now) != 0))
			return other;
	}
	return NULL;
}

/* Disks that changed places are whole, each for another place: fix would restore to them what was never lost, and sync
 * write one parity into the other. By the files it is only seen if none is left where it was. */
static int check_swapped(const struct session *session, const struct volumes *volumes, bool only_shows)
{
	const struct volume *parity = &volumes->volume[volumes->first_parity];
	int rc = 0;

	for (unsigned i = 0; i < volumes->count && !session->options->force_uuid; ++i) {
		const struct volume *volume = &volumes->volume[i];
		const struct volume *former = has_changed(volume) ? former_place(volumes, volume) : NULL;

		if (former == NULL)
			continue;
		if (volume >= parity && former >= parity)
			report(EV_PARITY_SWAPPED, volume->path, volume->name, former->name);
		else
			report(EV_DISK_SWAPPED, volume->path, volume->what, volume->name, former->what, former->name);
		rc = only_shows ? 0 : -1;
	}
	return rc;
}

/* More disks changed than could be repaired: they are more likely swapped or mounted at the wrong place. */
static int check_uuids(const struct session *session, const struct volumes *volumes, bool only_shows)
{
	unsigned changed = 0, levels = session->array->level_count;

	for (unsigned i = 0; i < volumes->count; ++i) {
		const struct volume *volume = &volumes->volume[i];

		if (!has_changed(volume))
			continue;
		++changed;
		report(EV_UUID_CHANGED, volume->what, volume->name, *volume->recorded, volume->now);
	}
	if (check_swapped(session, volumes, only_shows) < 0)
		return -1;
	if (changed <= levels || session->options->force_uuid)
		return 0;
	report(EV_UUID_MANY, changed, levels);
	return -1;
}

/* Its disk is the one that it was, and not also that of the other. */
static bool uuids_tell_apart(const struct split *split, const struct split *other)
{
	return uuid_tells(split->uuid, split->uuid_now) && strcmp(split->uuid, split->uuid_now) == 0 &&
	       (other == NULL || strcmp(split->uuid, other->uuid) != 0);
}

/* Whose parity was in the file that the configuration has now for that part of a level? Its own, or nobody's: NULL. What
 * is in the files of a level that came to the configuration does not count. */
static const char *former_owner(const struct session *session, level_t l, unsigned s)
{
	const struct array *array = session->array;
	const struct split *split = &array->level[l].split[s];

	for (level_t m = 0; array->level[l].recorded && m < LEVEL_MAX; ++m)
		for (unsigned t = 0; t < SPLIT_MAX; ++t) {
			const struct level *level = m < array->level_count ? &array->level[m] : NULL;
			const char *path = array->parity_path[m][t];

			if (path != NULL && (m != l || t != s) && strcmp(path, split->path) == 0 &&
			    !uuids_tell_apart(split, level != NULL && t < level->split_count ? &level->split[t] : NULL))
				return config_level_name(session->config, m);
		}
	return NULL;
}

/* The same by the configuration, where UUIDs do not tell. */
static int check_exchanged(const struct session *session)
{
	const struct array *array = session->array;
	int rc = 0;

	for (level_t l = 0; l < array->level_count && !session->options->force_uuid; ++l)
		for (unsigned s = 0; s < array->level[l].split_count; ++s) {
			const char *former = former_owner(session, l, s);

			if (former == NULL)
				continue;
			report(EV_PARITY_EXCHANGED, array->level[l].split[s].path, array->level[l].name, former);
			rc = -1;
		}
	return rc;
}

static bool has_other_code(const struct array *array)
{
	return array->level_count > 2 && array->level[2].recorded && array->z_known && array->z_was != array->z_parity;
}

/* By another code what is in the parity file means nothing, and -F makes all of it anew. */
static int check_code(const struct session *session)
{
	const struct config *config = session->config;

	if (!has_other_code(session->array) || session->options->force_full)
		return 0;
	report(EV_PARITY_CODE, config->path, config->level[2].line, session->array->level[2].name,
	       session->array->z_was ? "z-parity" : "3-parity");
	return -1;
}

int identity_check(const struct session *session, const struct places *places, bool only_shows)
{
	struct volumes volumes;

	collect(&volumes, session, places);
	if (check_mounted(session, &volumes) < 0 || check_uuids(session, &volumes, only_shows) < 0)
		return -1;
	if (only_shows)
		return 0;
	return check_exchanged(session) < 0 || check_code(session) < 0 ? -1 : 0;
}

static void adopt_uuid(struct array *array, const struct volume *volume)
{
	char **recorded = volume->recorded;

	if (volume->now == NULL || *volume->now == '\0' || strcmp(*recorded, volume->now) == 0)
		return;
	/* A first UUID is not worth a write of its own; a changed one is. */
	if (**recorded != '\0')
		array->changed = true;
	free(*recorded);
	*recorded = mem_strdup(volume->now);
}

/* Where and what it is now is worth a write, or a change that was let through is refused the next time. */
static void adopt_parity(struct array *array)
{
	array->changed |= has_other_code(array);
	for (level_t l = 0; l < array->level_count; ++l)
		for (unsigned s = 0; s < array->level[l].split_count; ++s) {
			const char *path = array->parity_path[l][s];

			array->changed |= path != NULL && strcmp(path, array->level[l].split[s].path) != 0;
		}
}

/* Inodes tell moved files only on the same file system as before, and if that keeps them. */
static void judge_inodes(struct disk *disk, const struct place_dir *place)
{
	if (disk->uuid_now == NULL)
		return;
	disk->replaced = uuid_differs(disk->uuid, disk->uuid_now);
	disk->inodes_trusted = *disk->uuid_now != '\0' && strcmp(disk->uuid, disk->uuid_now) == 0 &&
			       os_fs_inodes_persist(place->kind);
}

static void tell_without_uuid(const struct array *array, const struct places *places)
{
	struct buf none = { NULL, 0, 0 };

	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct disk *disk = array->disk[d];

		if (disk->uuid_now != NULL && *disk->uuid_now == '\0' && places->data[d].there)
			buf_printf(&none, "%s'%s'", none.size > 0 ? ", " : "", disk->name);
	}
	if (none.size > 0)
		report(EV_UUID_UNSUPPORTED, none.data);
	buf_done(&none);
}

void identity_settle(struct session *session, const struct places *places)
{
	struct array *array = session->array;
	struct volumes volumes;

	collect(&volumes, session, places);
	for (unsigned d = 0; d < array->disk_count; ++d)
		judge_inodes(array->disk[d], &places->data[d]);
	for (unsigned i = 0; i < volumes.count; ++i)
		adopt_uuid(array, &volumes.volume[i]);
	adopt_parity(array);
	tell_without_uuid(array, places);
}
