/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fix: modes, owners, attributes, and times of directories as they were. Files get theirs as they are restored (io/
 * restore.h); this is about all else.
 *
 * Directories that hold something to be restored are made before it, closed to others until the end, so that nothing
 * in a private directory is open to anyone meanwhile; their times come last, as each file made in them changes it. */
#ifndef COMMAND_METADATA_H
#define COMMAND_METADATA_H

#include "command/session.h"

struct metadata;

/* After the selection, before anything is restored. `root_fd`: where, by column; -1: nothing of that disk. NULL if
 * nothing is known. */
struct metadata *metadata_begin(struct session *session, const int *root_fd);
/* After all is restored: what was made since metadata_begin gets what it had. NULL is fine. */
void metadata_end(struct metadata *metadata);

/* An empty file or a symbolic link that was just made. */
void metadata_set_file(struct session *session, const struct disk *disk, int root_fd, const struct file *file);
void metadata_set_link(struct session *session, const struct disk *disk, int root_fd, const struct link *link);

/* fix --meta-only: put them back on all that is selected and there. An exit status. */
int metadata_put_back(struct session *session);

#endif
