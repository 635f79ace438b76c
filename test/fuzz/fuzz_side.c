/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a side file, or, if they do not begin as one, as what the stream of its section META holds. */
#include <string.h>

#include "arrays.h"
#include "base/crc32c.h"
#include "base/le.h"
#include "content/side.h"
#include "fuzz.h"

#define MAGIC		"SNAPSIDE"
#define HEADER_BYTES	24
#define CRC_BYTES	4

static const struct binding bound = { 0x12345678, 4711 };

static struct array *array_with_numbers(void)
{
	struct array *array = arrays_filled(true);
	struct buf image = { 0 };

	arrays_encode(array, &image);
	buf_done(&image);
	return array;
}

/* A whole file: all that leads to the sections is made right. */
static void repair(struct buf *image)
{
	uint8_t *data = (uint8_t *)image->data;

	le32_store(data + 8, 1);
	le32_store(data + 12, bound.tail);
	le64_store(data + 16, bound.size);
	le32_store(data + image->size - CRC_BYTES, crc32c(0, data, image->size - CRC_BYTES));
}

/* A file around the bytes of the section. */
static void wrap(struct buf *image, const uint8_t *data, size_t size)
{
	static const uint8_t header[HEADER_BYTES] = MAGIC, section[12] = "META";
	struct packer *packer = mem_alloc(sizeof(*packer));

	buf_add(image, header, sizeof(header));
	buf_add(image, section, sizeof(section));
	packer_begin(packer, image);
	pack_bytes(packer, data, size);
	packer_end(packer);
	le64_store((uint8_t *)image->data + HEADER_BYTES + 4, image->size - HEADER_BYTES - sizeof(section));
	buf_add(image, section, CRC_BYTES);
	free(packer);
}

/* What was accepted is written and read again as the same. */
static void check_saving(struct array *array)
{
	struct array *other = array_with_numbers();
	struct buf first = { 0 }, second = { 0 };

	side_encode(array, &bound, &first);
	PROMISED(side_decode((uint8_t *)first.data, first.size, &bound, other) == SIDE_FITS);
	side_encode(other, &bound, &second);
	PROMISED(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
	buf_done(&first);
	buf_done(&second);
	array_free(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct array *array = array_with_numbers();
	struct buf image = { 0 };

	fuzz_begin();
	if (size >= HEADER_BYTES + CRC_BYTES && memcmp(data, MAGIC, 8) == 0)
		buf_add(&image, data, size);
	else
		wrap(&image, data, size);
	repair(&image);
	if (side_decode((uint8_t *)image.data, image.size, &bound, array) == SIDE_FITS) {
		arrays_check_paths(array);
		check_saving(array);
	}
	buf_done(&image);
	array_free(array);
	return 0;
}
