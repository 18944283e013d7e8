/* SPDX-License-Identifier: MIT */
/*
 * One ELF file of any class and byte order, read piece by piece: headers when it is opened, a
 * section when it is asked for. The only users of libelf are elf.c and elf_slim.c. Nothing in the file is
 * believed: sizes are checked against the file, names against their table. One thread at a time per file.
 *
 *     file     |hdr|  .text         | .data |      captures name code by file offset,
 *                  \               /                symbols by address; a segment is what
 *     memory        |  0x401000...  |               leads from one to the other
 */
#ifndef OBJECT_ELF_H
#define OBJECT_ELF_H

#include "base/build_id.h"
#include "base/error.h"
#include "base/span.h"
#include "base/vec.h"

struct Elf;
struct elf_unpacked; /* sections that were asked for unpacked */

/* A PT_LOAD: file_bytes from file_offset on appear at address. */
struct elf_segment {
	uint64_t file_offset, file_bytes;
	uint64_t address, memory_bytes;
	bool is_executable;
};

struct elf_section {
	struct text name; /* lives as long as the file is open */
	uint64_t address, size_bytes, file_offset;
	uint64_t entry_bytes; /* of a table; 0: it is none, or nobody said */
	uint32_t index;
	uint32_t type;  /* SHT_* */
	bool is_loaded; /* SHF_ALLOC */
	bool is_executable;
	bool is_writable;
	bool is_packed; /* SHF_COMPRESSED: its content is compressed, and size_bytes that of the packed */
	uint64_t alignment;
	uint32_t link; /* sh_link: of a symbol table, the section of its names */
};

struct elf_file {
	struct Elf *handle;
	int fd;                     /* -1: in memory */
	const unsigned char *bytes; /* of the whole file, when it is in memory; or NULL */
	void *mapping; /* what bytes are in, when they are a stretch of a file; or NULL */
	size_t mapping_bytes;
	unsigned char *decompressed; /* the file unpacked, where all of it is compressed; or NULL */
	struct elf_unpacked *unpacked;
	uint64_t size_bytes;
	uint16_t type;    /* ET_* */
	uint16_t machine; /* EM_* */
	bool is_64_bit;
	bool is_swapped; /* of the other byte order than this machine's */
	bool is_slim;    /* the bytes of its segments are not in it: object/elf_slim.h */
	struct build_id build_id;
	VEC(struct elf_segment) segments;
	VEC(struct elf_section) sections; /* row i is section i; row 0 is the null section */
};

/* The kinds of symbol there are, and what binds them: STT_* and STB_* by name. */
enum elf_symbol_kind {
	ELF_SYMBOL_OTHER,
	ELF_SYMBOL_NOTYPE,
	ELF_SYMBOL_OBJECT,
	ELF_SYMBOL_FUNCTION,
	ELF_SYMBOL_IFUNC,
};

enum elf_binding {
	ELF_BINDING_LOCAL,
	ELF_BINDING_GLOBAL,
	ELF_BINDING_WEAK,
};

struct elf_symbol {
	struct text name; /* lives as long as the file is open */
	uint64_t value, size_bytes;
	enum elf_symbol_kind kind;
	enum elf_binding binding;
	bool is_hidden;   /* STV_HIDDEN, STV_INTERNAL */
	uint32_t section; /* a row of sections; 0: undefined, absolute, or out of range */
};

enum elf_symbol_table {
	ELF_SYMBOLS_STATIC,  /* .symtab */
	ELF_SYMBOLS_DYNAMIC, /* .dynsym */
};

/* A symbol table of a file, in the order of the file. */
struct elf_symbols {
	const struct elf_file *elf;
	struct span rows;
	struct span section_indexes; /* empty: section numbers are in the rows */
	struct text names;
	uint32_t count;
};

/* Opens fd, which elf_close closes, also when this fails. A file that is compressed as a whole (ext4.ko.xz)
 * is read as what it was before. */
bool elf_open_fd(struct elf_file *elf, int fd, struct error *err) WARN_UNUSED;

/* The regular file at path. The error does not name it. */
bool elf_open(struct elf_file *elf, const char *path, struct error *err) WARN_UNUSED;

/* An image in memory, which must outlive elf and is not written to. */
bool elf_open_memory(struct elf_file *elf, const void *bytes, size_t size_bytes,
		     struct error *err) WARN_UNUSED;

/* A stretch of fd, which stays the caller's and must not shrink. */
bool elf_open_stretch(struct elf_file *elf, int fd, uint64_t begin, uint64_t size_bytes,
		      struct error *err) WARN_UNUSED;

/* The vdso the kernel gave this process. */
bool elf_open_own_vdso(struct elf_file *elf, struct error *err) WARN_UNUSED;

void elf_close(struct elf_file *elf);

/* A descriptor another process can read the whole file by, which the caller closes; what is in memory is
 * copied. -1: none can be had. */
int elf_share(const struct elf_file *elf);

/* The build-id among the notes in bytes (the content of a SHT_NOTE section, of PT_NOTE, or of
 * /sys/kernel/notes); false when there is none. */
bool elf_build_id_of_notes(struct span notes, struct build_id *ret);

/* The section of this name, or NULL. */
const struct elf_section *elf_find_section(const struct elf_file *elf, const char *name);

/* Takes the size of a section off bytes_left, which begins as the size of the file; false: it is more. Those
 * of a sound file do not overlap, but all of many may be the same megabyte: who walks several stops there. */
bool elf_section_spend(const struct elf_section *section, uint64_t *bytes_left);

/* The content of a section as it is in the file, empty when there is none (SHT_NOBITS) or it is out of
 * bounds. Lives until elf_close. */
struct span elf_section_bytes(const struct elf_file *elf, const struct elf_section *section);

/* A copy of the same for the caller to free, for who needs it longer than the file, without one that stays
 * with the file. NULL: there is none. */
unsigned char *elf_section_copy(const struct elf_file *elf, const struct elf_section *section);

/* The same for what of a segment is in the file, which is nothing in a slim one. */
struct span elf_segment_bytes(const struct elf_file *elf, const struct elf_segment *segment);

/*
 * The content of a section before it was compressed (SHF_COMPRESSED, or old .zdebug), or as it is. False
 * when that would have more than cap_bytes, is damaged, or of a compression this build does not
 * know. Lives until elf_close, and is made once.
 */
bool elf_section_unpack(const struct elf_file *elf, const struct elf_section *section,
			size_t cap_bytes, struct span *ret, struct error *err) WARN_UNUSED;

/* Reads up to size_bytes bytes of the file from offset on, without keeping them; how many there were. */
size_t elf_read(const struct elf_file *elf, uint64_t offset, void *buffer, size_t size_bytes);

/* The address that the byte at this file offset has once loaded; false: it is not code. */
bool elf_address_of_offset(const struct elf_file *elf, uint64_t offset, uint64_t *ret);

/* Whether code can be found in it by file offset; it cannot in a separate debug file, whose
 * segments have lost their place. */
bool elf_has_code(const struct elf_file *elf);

/* False when the file has no such table. */
bool elf_symbols_open(const struct elf_file *elf, enum elf_symbol_table which,
		      struct elf_symbols *ret);
/* False when row index is damaged: its name is out of bounds. */
bool elf_symbols_get(const struct elf_symbols *symbols, uint32_t index, struct elf_symbol *ret);

#endif
