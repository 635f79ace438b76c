/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "command/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path.h"
#include "command/identity.h"
#include "command/places.h"
#include "config/filter.h"
#include "content/copies.h"
#include "device/thermal.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/fs.h"
#include "os/lock.h"
#include "os/thread.h"

/* Number of data disks from which one more level is recommended. */
static const unsigned parity_advice[] = { 5, 15, 22, 29, 36 };

static void advise_parity(const struct config *config)
{
	unsigned wanted = 1;

	for (unsigned i = 0; i < sizeof(parity_advice) / sizeof(parity_advice[0]); ++i)
		wanted += config->disk_count >= parity_advice[i];
	if (wanted > config->level_count)
		report(EV_ADVICE_PARITY, config->disk_count, wanted, config->level_count);
}

/* The lock lies beside the first content file whose directory is there. */
static int take_lock(struct session *session, unsigned needs)
{
	const struct config *config = session->config;
	char *path = NULL;
	int rc = -1;

	for (unsigned i = 0; i < config->content_count && path == NULL; ++i) {
		char *dir = path_dir(config->content[i]);
		struct stat st;

		if (stat(dir, &st) == 0)
			path = path_add_suffix(config->content[i], ".lock");
		free(dir);
	}
	if (path == NULL)
		return 0;	/* no copy can be reached: the loading tells */
	session->lock_fd = os_lock(path);
	/* Content files are replaced whole: one that is only read is right, whoever saves another meanwhile. */
	if (session->options->to != NULL)
		needs |= ONLY_SHOWS;
	if (session->lock_fd >= 0 || ((needs & ONLY_SHOWS) && (errno == EACCES || errno == EROFS)))
		rc = 0;
	else
		report(errno == EWOULDBLOCK ? EV_LOCK_HELD : EV_LOCK_OPEN, path, strerror(errno));
	free(path);
	return rc;
}

static enum hash_kind new_hash_kind(const struct options *options)
{
	if (options->test.force_murmur3)
		return HASH_MURMUR3;
	return options->test.force_spooky2 ? HASH_SPOOKY2 : hash_best();
}

/* The array as the configuration has it, with what is known of the file systems. */
static void make_array(struct session *session, const struct places *places, unsigned needs)
{
	const struct config *config = session->config;
	struct array *array = array_new(config->block_size, config->hash_size);

	array->z_parity = config->z_parity;
	array->keep_metadata = config->keep_metadata && !(needs & ONLY_SHOWS);
	array->hash.kind = new_hash_kind(session->options);
	os_random(array->hash.seed, sizeof(array->hash.seed));
	for (unsigned d = 0; d < config->disk_count; ++d) {
		struct disk *disk = array_add_disk(array, config->disk[d].name, config->disk[d].dir);

		if (places->data[d].uuid != NULL)
			disk->uuid_now = mem_strdup(places->data[d].uuid);
	}
	array->level_count = config->level_count;
	for (level_t l = 0; l < config->level_count; ++l) {
		struct level *level = &array->level[l];

		level->name = config_level_name(config, l);
		level->split_count = config->level[l].split_count;
		for (unsigned s = 0; s < level->split_count; ++s) {
			level->split[s].path = mem_strdup(config->level[l].path[s]);
			level->split[s].uuid = mem_strdup("");
			level->split[s].size_bytes = SPLIT_SIZE_UNKNOWN;
			if (places->split[l][s].uuid != NULL)
				level->split[s].uuid_now = mem_strdup(places->split[l][s].uuid);
		}
	}
	session->array = array;
}

/* Without a content file nothing can be told from the parity, and a sync would replace it. */
static int refuse_if_lost(const struct session *session)
{
	const struct array *array = session->array;

	for (level_t l = 0; l < array->level_count; ++l)
		for (unsigned s = 0; s < array->level[l].split_count; ++s)
			if (os_has_data(array->level[l].split[s].path)) {
				report(EV_CONTENT_LOST, array->level[l].split[s].path);
				return -1;
			}
	return 0;
}

/* By the third level's code too: what fix has made by the one is not made for the other. */
static char *name_for_marks(const struct content *content, const struct config *config)
{
	char *name = content_name(content), *marked = mem_printf("%s%s", name, config->z_parity ? "-z" : "");

	free(name);
	return marked;
}

static int load(struct session *session, const struct places *places, unsigned needs)
{
	const struct config *config = session->config;
	const struct options *options = session->options;
	struct content_load from = {
		.path = (const char *const *)config->content,
		.count = config->content_count,
		.block_size_given = config->block_size_given,
		.hash_size_given = config->hash_size_given,
		.match_first_uuid = options->test.match_first_uuid,
		.prove_copies = needs & PROVE_COPIES,
	};

	make_array(session, places, needs);
	session->content_result = content_load(&from, session->array, &session->content);
	if (session->content_result == CONTENT_BAD)
		return -1;
	if (session->content_result == CONTENT_NONE && (needs & NEED_PARITY) && !options->force_full &&
	    refuse_if_lost(session) < 0)
		return -1;
	if (session->content != NULL)
		session->content_name = name_for_marks(session->content, config);
	/* With --to nothing is written to a disk, and what is read is believed by its hash: any disk will do. */
	if (options->to == NULL && identity_check(session, places, needs & ONLY_SHOWS) < 0)
		return -1;
	if (!array_map_disks(session->array)) {
		report(EV_TOO_MANY_DISKS, config->disk[config->disk_count - 1].name, COLUMN_MAX);
		return -1;
	}
	identity_settle(session, places);
	if (options->test.force_content_write)
		session->array->changed = true;
	return 0;
}

static void take_roots(struct session *session, struct places *places)
{
	for (unsigned d = 0; d < session->array->disk_count; ++d) {
		column_t column = session->array->disk[d]->column;

		session->root_fd[column] = places->data[d].fd;
		places->data[d].fd = -1;
	}
	memcpy(session->level_missing, places->level_missing, sizeof(session->level_missing));
}

/* Without the slash that the configuration keeps at its end. */
static void log_dir(enum event event, const char *dir)
{
	char *plain = mem_strdup(dir);
	size_t length = strlen(plain);

	if (length > 1 && plain[length - 1] == '/')
		plain[length - 1] = '\0';
	report(event, plain);
	free(plain);
}

static void log_config(const struct session *session, const struct places *places)
{
	static const char *const modes[] = { "par1", "par2", "par3", "par4", "par5", "par6" };
	const struct config *config = session->config;

	if (!report_has_log())
		return;
	report(EV_CONF_BLOCK_SIZE, config->block_size);
	for (unsigned d = 0; d < config->disk_count; ++d)
		report(EV_CONF_DATA, config->disk[d].name, config->disk[d].dir, places->data[d].uuid);
	report(EV_CONF_MODE, config->z_parity ? "parz" : modes[config->level_count - 1]);
	for (level_t l = 0; l < config->level_count; ++l)
		for (unsigned s = 0; s < config->level[l].split_count; ++s) {
			const char *name = config_level_name(config, l), *path = config->level[l].path[s];

			if (s == 0)
				report(EV_CONF_PARITY, name, path, places->split[l][s].uuid);
			else
				report(EV_CONF_PARITY_SPLIT, name, s, path, places->split[l][s].uuid);
		}
	for (unsigned e = 0; e < config->extra_count; ++e)
		report(EV_CONF_EXTRA, config->extra[e].name, config->extra[e].dir, "");
	if (config->pool != NULL)
		log_dir(EV_CONF_POOL, config->pool);
	if (config->share != NULL)
		log_dir(EV_CONF_SHARE, config->share);
	if (config->autosave_bytes != 0)
		report(EV_CONF_AUTOSAVE, config->autosave_bytes);
	for (unsigned i = 0; i < filter_count(config->filter); ++i)
		report(EV_CONF_FILTER, filter_rule(config->filter, i));
	if (config->no_hidden)
		report(EV_CONF_NOHIDDEN);
}

int session_open(struct session *session, const struct config *config, const struct options *options, unsigned needs)
{
	struct places *places = mem_alloc(sizeof(*places));
	int rc = -1;

	memset(session, 0, sizeof(*session));
	session->config = config;
	session->options = options;
	session->lock_fd = -1;
	for (unsigned c = 0; c < COLUMN_MAX; ++c)
		session->root_fd[c] = -1;

	if (places_open(places, config, options, needs) < 0)
		goto out;
	log_config(session, places);
	if (!options->no_warnings)
		advise_parity(config);
	if (config->snapshot && (needs & NEED_DATA))
		report(EV_NO_SNAPSHOT);
	if ((needs & NEED_LOCK) && !options->test.skip_lock && take_lock(session, needs) < 0)
		goto out;
	if (needs & NEED_CONTENT) {
		if (load(session, places, needs) < 0)
			goto out;
		take_roots(session, places);
	}
	rc = 0;
out:
	places_close(places);
	free(places);
	return rc;
}

void session_close(struct session *session)
{
	thermal_stop(session->thermal);
	for (unsigned c = 0; c < COLUMN_MAX; ++c)
		os_close(session->root_fd[c]);
	array_free(session->array);
	content_close(session->content);
	free(session->content_name);
	os_close(session->lock_fd);
}

void session_prove_copies(struct session *session)
{
	content_prove_copies(session->content, session->array);
}

int session_save_begin(struct session *session, struct saving **saving)
{
	const struct config *config = session->config;

	*saving = NULL;
	if (session->options->test.skip_content_write)
		return 0;
	*saving = content_save_begin((const char *const *)config->content, config->content_count, session->array);
	return *saving == NULL ? -1 : 0;
}

static char *saved_name(const struct config *config)
{
	struct content *content;
	char *why, *name = NULL;

	if (content_map(config->content[0], &content, &why) == CONTENT_WHOLE)
		name = name_for_marks(content, config);
	content_close(content);
	free(why);
	return name;
}

/* A level that fix has made for the content file as it was is right for the one just saved, too: a command that does
 * not take levels in moves no block. If that cannot be noted, sync asks for another fix. */
static void keep_made_levels(struct session *session)
{
	const struct array *array = session->array;
	char *name = NULL;

	for (level_t l = 1; session->content_name != NULL && l < array->level_count; ++l) {
		if (array->level[l].recorded || !parity_is_made_for(&array->level[l], session->content_name))
			continue;
		if (name == NULL && (name = saved_name(session->config)) == NULL)
			return;
		parity_mark_made(&array->level[l], name);
	}
	if (name == NULL)
		return;
	free(session->content_name);
	session->content_name = name;
}

int session_save(struct session *session)
{
	const struct config *config = session->config;

	if (session->options->test.skip_content_write)
		return 0;
	if (content_save((const char *const *)config->content, config->content_count, session->array) < 0)
		return -1;
	keep_made_levels(session);
	return 0;
}

int session_open_parity(struct session *session, enum parity_mode mode, bool required,
			struct parity *parity[LEVEL_MAX])
{
	struct array *array = session->array;

	for (level_t l = 0; l < LEVEL_MAX; ++l)
		parity[l] = NULL;
	for (level_t l = 0; l < array->level_count; ++l) {
		struct level *level = &array->level[l];
		unsigned split = 0;

		if (!session->level_missing[l])
			parity[l] = parity_open(level, array->block_size, mode, &split);
		if (parity[l] != NULL)
			continue;
		if (session->level_missing[l])
			errno = ENOENT;
		report(required ? EV_PARITY_OPEN : EV_PARITY_OPEN_SKIP, level->name, level->split[split].path,
		       strerror(errno));
		if (required) {
			session_close_parity(parity);
			return -1;
		}
		++session->errors.soft;
	}
	return 0;
}

void session_close_parity(struct parity *parity[LEVEL_MAX])
{
	for (level_t l = 0; l < LEVEL_MAX; ++l) {
		parity_close(parity[l]);
		parity[l] = NULL;
	}
}

/* The fsync of a level. */
struct level_sync {
	thread_t thread;
	struct parity *parity;
	int error;	/* errno, 0: durable */
};

static void *level_sync_main(void *argument)
{
	struct level_sync *sync = argument;

	sync->error = parity_sync(sync->parity) < 0 ? errno : 0;
	return NULL;
}

int session_sync_parity(struct session *session, struct parity *const parity[LEVEL_MAX])
{
	const struct array *array = session->array;
	struct level_sync sync[LEVEL_MAX] = { 0 };
	int rc = 0;

	/* All at once: each level has a disk of its own, with seconds of data to write. */
	for (level_t l = 0; l < array->level_count; ++l) {
		sync[l].parity = parity[l];
		if (parity[l] != NULL)
			thread_start(&sync[l].thread, level_sync_main, &sync[l]);
	}
	for (level_t l = 0; l < array->level_count; ++l) {
		if (parity[l] == NULL)
			continue;
		thread_join(sync[l].thread);
		if (sync[l].error == 0)
			continue;
		report(EV_PARITY_SYNC, array->level[l].name, array->level[l].split[0].path, strerror(sync[l].error));
		rc = -1;
	}
	return rc;
}
