/* SPDX-License-Identifier: MIT */
#include "object/elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "compress/codec.h"
#include "object/elf_decompressed.h"
#include "object/elf_slim.h"
#include "object/file.h"

/*
 * Maximum number of sections of an ELF file. -ffunction-sections makes one section for each
 * function.
 */
#define LIMIT_ELF_SECTIONS (1u << 22)
/* Maximum number of program headers of an ELF file. Only core dumps have more program headers. */
#define LIMIT_ELF_SEGMENTS 4096u
/* Maximum size of a file that is compressed as a whole (ext4.ko.xz), before and after
 * decompression. A kernel with debug information takes a few hundred MB. */
#define LIMIT_UNPACKED_OBJECT_BYTES ((size_t)1 << 30)
/* Maximum size of an ELF file that is read for symbols, larger than any known ELF file. */
#define LIMIT_OBJECT_BYTES ((uint64_t)16 << 30)

#define NOTE_GNU_BUILD_ID 3

static void set_version(void)
{
	elf_version(EV_CURRENT);
}

/* libelf requires this call once, because its state is global. */
static void prepare_library(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, set_version);
}

static bool fail(struct error *err, const char *what)
{
	int code = elf_errno();

	return error_set(err, ERROR_CORRUPT, "%s: %s", what,
			 code ? elf_errmsg(code) : "is not an ELF file");
}

static bool is_inside(const struct elf_file *elf, uint64_t offset, uint64_t size_bytes)
{
	return offset <= elf->size_bytes && size_bytes <= elf->size_bytes - offset;
}

static bool read_header(struct elf_file *elf, struct error *err)
{
	GElf_Ehdr header;
	unsigned char other_order = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB;

	if (elf_kind(elf->handle) != ELF_K_ELF)
		return error_set(err, ERROR_FORMAT, "is not an ELF file");
	if (!gelf_getehdr(elf->handle, &header))
		return fail(err, "has a corrupt ELF header");
	elf->type = header.e_type;
	elf->machine = header.e_machine;
	elf->is_64_bit = header.e_ident[EI_CLASS] == ELFCLASS64;
	elf->is_swapped = header.e_ident[EI_DATA] == other_order;
	return true;
}

static bool read_segments(struct elf_file *elf, struct error *err)
{
	size_t count;

	if (elf_getphdrnum(elf->handle, &count) != 0)
		return fail(err, "has corrupt program headers");
	if (count > LIMIT_ELF_SEGMENTS)
		return error_set(err, ERROR_LIMIT,
				 "has %zu program headers, more than the limit of %u", count,
				 LIMIT_ELF_SEGMENTS);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf->handle, (int)i, &header))
			return fail(err, "has corrupt program headers");
		if (header.p_type != PT_LOAD)
			continue;
		vec_push(&elf->segments, (struct elf_segment){
						 .file_offset = header.p_offset,
						 .file_bytes = header.p_filesz,
						 .address = header.p_vaddr,
						 .memory_bytes = header.p_memsz,
						 .is_executable = header.p_flags & PF_X,
					 });
	}
	return true;
}

/* A byte range of the file; empty if out of bounds. */
static struct span raw_bytes(const struct elf_file *elf, uint64_t offset, uint64_t size_bytes)
{
	Elf_Data *data = NULL;

	if (size_bytes > 0 && is_inside(elf, offset, size_bytes))
		data = elf_getdata_rawchunk(elf->handle, (int64_t)offset, size_bytes, ELF_T_BYTE);
	if (!data || !data->d_buf)
		return span_of("", 0, offset, elf->is_swapped);
	return span_of(data->d_buf, data->d_size, offset, elf->is_swapped);
}

/* The section names; empty if missing. */
static struct text section_names(const struct elf_file *elf)
{
	size_t index = 0;
	GElf_Shdr header;
	struct span bytes;

	if (elf_getshdrstrndx(elf->handle, &index) != 0 ||
	    !gelf_getshdr(elf_getscn(elf->handle, index), &header) || header.sh_type != SHT_STRTAB)
		return text_of("");
	bytes = raw_bytes(elf, header.sh_offset, header.sh_size);
	return (struct text){ (const char *)bytes.at, span_left(&bytes) < UINT32_MAX
							      ? (uint32_t)span_left(&bytes)
							      : UINT32_MAX };
}

static bool read_sections(struct elf_file *elf, struct error *err)
{
	size_t count;
	Elf_Scn *section = NULL;
	struct text names;

	if (elf_getshdrnum(elf->handle, &count) != 0)
		return fail(err, "has corrupt section headers");
	if (count > LIMIT_ELF_SECTIONS)
		return error_set(err, ERROR_LIMIT, "has %zu sections, more than the limit of %u",
				 count, LIMIT_ELF_SECTIONS);
	if (count == 0)
		return true;
	names = section_names(elf);
	vec_push(&elf->sections, (struct elf_section){ .name = { "", 0 } });
	while ((section = elf_nextscn(elf->handle, section)) != NULL) {
		/* Take the index before vec_push, which changes the count. */
		uint32_t index = (uint32_t)elf->sections.count;
		GElf_Shdr header;
		struct text name;

		if (!gelf_getshdr(section, &header))
			return fail(err, "has corrupt section headers");
		if (!elf_name_at(names, header.sh_name, &name))
			name = text_of("");
		vec_push(&elf->sections, (struct elf_section){
						 .name = name,
						 .address = header.sh_addr,
						 .size_bytes = header.sh_size,
						 .file_offset = header.sh_offset,
						 .entry_bytes = header.sh_entsize,
						 .index = index,
						 .type = header.sh_type,
						 .is_loaded = header.sh_flags & SHF_ALLOC,
						 .is_executable = header.sh_flags & SHF_EXECINSTR,
						 .is_compressed = header.sh_flags & SHF_COMPRESSED,
						 .alignment = header.sh_addralign,
						 .link = header.sh_link,
					 });
	}
	return true;
}

bool elf_build_id_of_notes(struct span notes, struct build_id *ret)
{
	uint32_t name_bytes, content_bytes, type;

	while (span_u32(&notes, &name_bytes) && span_u32(&notes, &content_bytes) &&
	       span_u32(&notes, &type)) {
		struct span name, content;
		/* The last note may lack its padding. */
		uint64_t name_padding = -(uint64_t)name_bytes & 3;
		uint64_t content_padding = -(uint64_t)content_bytes & 3;

		if (!span_sub(&notes, name_bytes, &name) || !span_skip(&notes, name_padding) ||
		    !span_sub(&notes, content_bytes, &content))
			return false;
		if (type == NOTE_GNU_BUILD_ID && name_bytes == 4 &&
		    memcmp(name.at, "GNU", 4) == 0 && content_bytes > 0) {
			/* Captures contain only the beginning of longer build-ids. */
			ret->size_bytes = content_bytes < BUILD_ID_BYTES_MAX
						  ? (uint8_t)content_bytes
						  : BUILD_ID_BYTES_MAX;
			memcpy(ret->bytes, content.at, ret->size_bytes);
			return true;
		}
		if (!span_skip(&notes, content_padding))
			return false;
	}
	return false;
}

static void read_build_id(struct elf_file *elf)
{
	size_t count = 0;

	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		if (section->type == SHT_NOTE && section->size_bytes <= LIMIT_ELF_NOTE_BYTES &&
		    elf_build_id_of_notes(raw_bytes(elf, section->file_offset, section->size_bytes),
					  &elf->build_id))
			return;
	}
	if (elf_getphdrnum(elf->handle, &count) != 0 || count > LIMIT_ELF_SEGMENTS)
		return;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf->handle, (int)i, &header) && header.p_type == PT_NOTE &&
		    header.p_filesz <= LIMIT_ELF_NOTE_BYTES &&
		    elf_build_id_of_notes(raw_bytes(elf, header.p_offset, header.p_filesz),
					  &elf->build_id))
			return;
	}
}

static bool read_all_headers(struct elf_file *elf, struct error *err)
{
	if (!elf->handle)
		fail(err, "cannot be read as ELF");
	else if (read_header(elf, err) && read_segments(elf, err) && read_sections(elf, err)) {
		read_build_id(elf);
		elf->is_slim = elf_find_section(elf, ELF_SLIM_SECTION) != NULL;
		return true;
	}
	elf_close(elf);
	return false;
}

/*
 * zstd does not write any bytes before it has read a whole block of up to 128 KiB. Other codecs
 * need fewer bytes.
 */
#define PACKED_HEAD_BYTES ((size_t)256 << 10)

/* Decompresses the first bytes. */
static void unpack_head(struct codec_stream *stream, struct span in, struct codec_output *out)
{
	enum codec_status status = CODEC_MORE;

	while (out->used_bytes < out->size_bytes && span_left(&in) && status != CODEC_CORRUPT) {
		const unsigned char *at = in.at;

		if (status == CODEC_END)
			codec_stream_reset(stream);
		status = codec_stream_step(stream, &in, out);
		if (in.at == at)
			return;
	}
}

/*
 * Reads only the beginning, to find out whether the file is ELF. A capture may contain the path of
 * a private compressed file.
 */
static bool is_packed_elf(int fd, enum codec codec)
{
	unsigned char head[SELFMAG] = { 0 };
	struct codec_output out = { .at = head, .size_bytes = sizeof(head) };
	struct error ignored;
	struct codec_stream *stream = codec_stream_create(codec, &ignored);
	unsigned char *packed;
	ssize_t got;

	/* If the codec's library is missing, the file is refused later, with the reason. */
	if (!stream)
		return true;
	packed = memory_alloc(PACKED_HEAD_BYTES, 1);
	got = pread(fd, packed, PACKED_HEAD_BYTES, 0);
	if (got > 0)
		unpack_head(stream, span_of(packed, (size_t)got, 0, false), &out);
	memory_free(packed);
	codec_stream_destroy(stream);
	return out.used_bytes == 0 || memcmp(head, ELFMAG, out.used_bytes) == 0;
}

/* Opens a file that is compressed as a whole. */
static bool open_packed(struct elf_file *elf, enum codec codec, struct error *err)
{
	struct file_bytes packed;
	size_t size_bytes;
	bool good;

	if (!is_packed_elf(elf->fd, codec)) {
		elf_close(elf);
		return error_set(err, ERROR_FORMAT, "is not an ELF file");
	}
	if (!file_read(elf->fd, LIMIT_UNPACKED_OBJECT_BYTES, &packed, err)) {
		elf_close(elf);
		return false;
	}
	good = codec_decompress(codec, span_of(packed.at, packed.size_bytes, 0, false),
				LIMIT_UNPACKED_OBJECT_BYTES, &elf->decompressed, &size_bytes, err);
	file_bytes_deinit(&packed);
	if (!good) {
		elf_close(elf);
		return false;
	}
	elf->size_bytes = size_bytes;
	elf->handle = elf_memory((char *)elf->decompressed, size_bytes);
	return read_all_headers(elf, err);
}

bool elf_open_fd(struct elf_file *elf, int fd, struct error *err)
{
	char head[CODEC_MARK_BYTES];
	enum codec codec;
	struct stat status;
	ssize_t got;

	*elf = (struct elf_file){ .fd = fd, .decompressed_sections = elf_decompressed_create() };
	prepare_library();
	if (fstat(fd, &status) != 0) {
		error_set_errno(err, "cannot read");
		elf_close(elf);
		return false;
	}
	elf->size_bytes = (uint64_t)status.st_size;
	if (elf->size_bytes > LIMIT_OBJECT_BYTES) {
		elf_close(elf);
		return error_set(err, ERROR_LIMIT, "is too large");
	}
	got = pread(fd, head, sizeof(head), 0);
	codec = got > 0 ? codec_of_object(span_of(head, (size_t)got, 0, false)) : CODEC_NONE;
	if (codec != CODEC_NONE)
		return open_packed(elf, codec, err);
	/*
	 * Reads only the first bytes, because a capture may contain the path of a private file such
	 * as /etc/shadow.
	 */
	if (got < SELFMAG || memcmp(head, ELFMAG, SELFMAG) != 0) {
		elf_close(elf);
		return error_set(err, ERROR_FORMAT, "is not an ELF file");
	}
	/*
	 * libelf reads the file instead of mapping it, so a file that shrinks does not cause
	 * SIGBUS.
	 */
	elf->handle = elf_begin(fd, ELF_C_READ, NULL);
	return read_all_headers(elf, err);
}

int elf_keep(int fd)
{
	char head[SELFMAG];

	if (fd >= 0 && pread(fd, head, SELFMAG, 0) == SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool elf_open(struct elf_file *elf, const char *path, struct error *err)
{
	int fd = file_open(path, err);

	return fd >= 0 && elf_open_fd(elf, fd, err);
}

bool elf_open_memory(struct elf_file *elf, const void *bytes, size_t size_bytes, struct error *err)
{
	union {
		const void *constant;
		char *changeable;
	} image = { .constant = bytes };

	*elf = (struct elf_file){
		.fd = -1,
		.bytes = bytes,
		.size_bytes = size_bytes,
		.decompressed_sections = elf_decompressed_create(),
	};
	prepare_library();
	/* libelf writes to this memory only in elf_update(). */
	elf->handle = elf_memory(image.changeable, size_bytes);
	return read_all_headers(elf, err);
}

/* Copies a compressed range to a file, and decompresses this file as a whole. */
static bool open_packed_stretch(struct elf_file *elf, int fd, uint64_t begin, uint64_t size_bytes,
				struct error *err)
{
	int copy = file_copy_range(fd, begin, size_bytes, err);

	return copy >= 0 && elf_open_fd(elf, copy, err);
}

bool elf_open_range(struct elf_file *elf, int fd, uint64_t begin, uint64_t size_bytes,
		    struct error *err)
{
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	size_t before = (size_t)(begin % page_bytes);
	size_t mapping_bytes = before + (size_t)size_bytes;
	unsigned char *mapping;

	if (size_bytes > LIMIT_OBJECT_BYTES || size_bytes > SIZE_MAX / 2)
		return error_set(err, ERROR_LIMIT, "is too large");
	mapping = mmap(NULL, mapping_bytes, PROT_READ, MAP_PRIVATE, fd, (off_t)(begin - before));
	if (mapping == MAP_FAILED)
		return error_set_errno(err, "cannot be mapped");
	if (codec_of_object(span_of(mapping + before, (size_t)size_bytes, 0, false)) !=
	    CODEC_NONE) {
		munmap(mapping, mapping_bytes);
		return open_packed_stretch(elf, fd, begin, size_bytes, err);
	}
	if (!elf_open_memory(elf, mapping + before, (size_t)size_bytes, err)) {
		munmap(mapping, mapping_bytes);
		return false;
	}
	elf->mapping = mapping;
	elf->mapping_bytes = mapping_bytes;
	return true;
}

bool elf_open_own_vdso(struct elf_file *elf, struct error *err)
{
	const unsigned char *image =
		(const unsigned char *)getauxval(AT_SYSINFO_EHDR); /* the kernel maps the vDSO */
	ElfW(Ehdr) header;

	if (!image)
		return error_set(err, ERROR_IO, "this system has no vdso");
	memcpy(&header, image, sizeof(header));
	return elf_open_memory(elf, image,
			       header.e_shoff + (size_t)header.e_shnum * header.e_shentsize, err);
}

void elf_close(struct elf_file *elf)
{
	if (elf->handle)
		elf_end(elf->handle);
	if (elf->fd >= 0)
		close(elf->fd);
	memory_free(elf->decompressed);
	if (elf->mapping)
		munmap(elf->mapping, elf->mapping_bytes);
	elf_decompressed_destroy(elf->decompressed_sections);
	vec_free(&elf->segments);
	vec_free(&elf->sections);
	*elf = (struct elf_file){ .fd = -1 };
}

const struct elf_section *elf_find_section(const struct elf_file *elf, const char *name)
{
	for (size_t i = 1; i < elf->sections.count; i++)
		if (text_is(elf->sections.at[i].name, name))
			return &elf->sections.at[i];
	return NULL;
}

bool elf_section_spend(const struct elf_section *section, uint64_t *bytes_left)
{
	return !__builtin_sub_overflow(*bytes_left, section->size_bytes, bytes_left);
}

struct span elf_section_bytes(const struct elf_file *elf, const struct elf_section *section)
{
	if (section->type == SHT_NOBITS)
		return span_of("", 0, section->file_offset, elf->is_swapped);
	return raw_bytes(elf, section->file_offset, section->size_bytes);
}

struct span elf_segment_bytes(const struct elf_file *elf, const struct elf_segment *segment)
{
	return raw_bytes(elf, segment->file_offset, elf->is_slim ? 0 : segment->file_bytes);
}

size_t elf_read(const struct elf_file *elf, uint64_t offset, void *buffer, size_t size_bytes)
{
	const unsigned char *image = elf->decompressed ? elf->decompressed : elf->bytes;
	ssize_t got;

	if (offset >= elf->size_bytes)
		return 0;
	if (size_bytes > elf->size_bytes - offset)
		size_bytes = (size_t)(elf->size_bytes - offset);
	if (image) {
		memcpy(buffer, image + offset, size_bytes);
		return size_bytes;
	}
	got = pread(elf->fd, buffer, size_bytes, (off_t)offset);
	return got > 0 ? (size_t)got : 0;
}

bool elf_has_code(const struct elf_file *elf)
{
	for (size_t i = 0; i < elf->segments.count; i++)
		if (elf->segments.at[i].is_executable && elf->segments.at[i].file_bytes > 0)
			return true;
	if (elf->segments.count > 0)
		return false;
	for (size_t i = 0; i < elf->sections.count; i++)
		if (elf->sections.at[i].is_executable && elf->sections.at[i].type != SHT_NOBITS)
			return true;
	return false;
}

/* Loaders round segments to pages, so neighbouring bytes are also mapped. */
static bool segment_covers(const struct elf_segment *segment, uint64_t offset, uint64_t slack)
{
	uint64_t begin = segment->file_offset;
	uint64_t end;

	if (__builtin_add_overflow(begin, segment->file_bytes, &end))
		return false;
	if (slack) {
		begin &= ~(slack - 1);
		if (__builtin_add_overflow(end, slack - 1, &end))
			return false;
		end &= ~(slack - 1);
	}
	return segment->is_executable && segment->file_bytes > 0 && offset >= begin && offset < end;
}

bool elf_data_address_of_offset(const struct elf_file *elf, uint64_t offset, uint64_t *ret)
{
	for (int with_bss = 0; with_bss < 2; with_bss++)
		for (size_t i = 0; i < elf->segments.count; i++) {
			const struct elf_segment *segment = &elf->segments.at[i];
			uint64_t bytes = with_bss ? segment->memory_bytes : segment->file_bytes;

			if (offset < segment->file_offset || offset - segment->file_offset >= bytes)
				continue;
			*ret = offset - segment->file_offset + segment->address;
			return true;
		}
	return false;
}

bool elf_address_of_offset(const struct elf_file *elf, uint64_t offset, uint64_t *ret)
{
	for (uint64_t slack = 0; slack <= PAGE_BYTES; slack += PAGE_BYTES)
		for (size_t i = 0; i < elf->segments.count; i++)
			if (segment_covers(&elf->segments.at[i], offset, slack)) {
				*ret = offset - elf->segments.at[i].file_offset +
				       elf->segments.at[i].address;
				return true;
			}
	if (elf->segments.count > 0)
		return false;
	/* ELF files from old versions of perf inject, for JIT code, have only sections. */
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct elf_section *section = &elf->sections.at[i];

		if (section->is_executable && section->type != SHT_NOBITS &&
		    offset >= section->file_offset &&
		    offset - section->file_offset < section->size_bytes) {
			*ret = offset - section->file_offset + section->address;
			return true;
		}
	}
	return false;
}
