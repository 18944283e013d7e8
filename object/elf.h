/* SPDX-License-Identifier: MIT */
/*
 * One ELF file of any class and byte order. Headers are read when the file is opened, and sections
 * when they are needed. Sizes are checked against the file, and names against their table. An
 * elf_file belongs to one thread at a time.
 *
 *     file     |hdr|  .text         | .data |      captures refer to code by file offset,
 *                  \               /                symbols by address; segments convert
 *     memory        |  0x401000...  |               one into the other
 */
#ifndef OBJECT_ELF_H
#define OBJECT_ELF_H

#include "base/build_id.h"
#include "base/error.h"
#include "base/span.h"
#include "base/vec.h"

/* Maximum number of symbols of one file. Chromium with debug symbols has 2 million symbols. */
#define LIMIT_SYMBOLS (1u << 25)
/* Maximum size of a note section or segment. A note with a build-id takes 36 bytes. */
#define LIMIT_ELF_NOTE_BYTES (1u << 20)
/* Maximum size of a decompressed .gnu_debugdata or symbol table. The symbol table of Firefox's
 * libxul takes 20 MB. */
#define LIMIT_DEBUGDATA_BYTES ((size_t)256 << 20)

struct Elf;
struct elf_decompressed; /* decompressed sections */

/* A PT_LOAD segment: file_bytes bytes from file_offset on are mapped at address. */
struct elf_segment {
	uint64_t file_offset, file_bytes;
	uint64_t address, memory_bytes;
	bool is_executable;
};

struct elf_section {
	struct text name; /* valid while the file is open */
	uint64_t address, size_bytes, file_offset;
	uint64_t entry_bytes; /* size of a row if the section is a table; 0 if unknown */
	uint32_t index;
	uint32_t type;  /* SHT_* */
	bool is_loaded; /* SHF_ALLOC */
	bool is_executable;
	bool is_compressed; /* SHF_COMPRESSED; size_bytes is the compressed size */
	uint64_t alignment;
	uint32_t link; /* sh_link: the string table of a symbol table */
};

struct elf_file {
	struct Elf *handle;
	int fd;                     /* -1 if the file is in memory */
	const unsigned char *bytes; /* contents of a file in memory; or NULL */
	void *mapping;              /* the pages of `bytes`, if mapped from a file; or NULL */
	size_t mapping_bytes;
	unsigned char *decompressed; /* contents of a file that is compressed as a whole; or NULL */
	struct elf_decompressed *decompressed_sections;
	uint64_t size_bytes;
	uint16_t type;    /* ET_* */
	uint16_t machine; /* EM_* */
	bool is_64_bit;
	bool is_swapped; /* the byte order differs from the host's */
	bool is_slim;    /* the file lacks the bytes of its segments: object/elf_slim.h */
	struct build_id build_id;
	VEC(struct elf_segment) segments;
	VEC(struct elf_section) sections; /* indexed by section number; row 0 is the null section */
};

/* STT_* and STB_*. */
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
	struct text name; /* valid while the file is open */
	uint64_t value, size_bytes;
	enum elf_symbol_kind kind;
	enum elf_binding binding;
	bool is_hidden;   /* STV_HIDDEN, STV_INTERNAL */
	uint32_t section; /* section number; 0 if undefined, absolute or out of range */
};

enum elf_symbol_table {
	ELF_SYMBOLS_STATIC,  /* .symtab */
	ELF_SYMBOLS_DYNAMIC, /* .dynsym */
};

struct elf_symbols {
	const struct elf_file *elf;
	struct span rows;
	/* SHT_SYMTAB_SHNDX; if empty, the rows contain the section numbers */
	struct span section_indexes;
	struct text names;
	uint32_t count;
};

/*
 * Opens fd, which is closed by elf_close or on failure. A file that is compressed as a whole
 * (ext4.ko.xz) is decompressed. If a file is neither ELF nor compressed, only its first bytes are
 * read. If a file is compressed, but its content is not ELF, only the first 256 KiB of the file are
 * read.
 */
bool elf_open_fd(struct elf_file *elf, int fd, struct error *err) WARN_UNUSED;

/*
 * Returns fd if the file begins like an uncompressed ELF file. Otherwise, closes fd and returns -1.
 * fd may be -1.
 */
int elf_keep(int fd) WARN_UNUSED;

/* Opens the regular file at path. The error does not contain the path. */
bool elf_open(struct elf_file *elf, const char *path, struct error *err) WARN_UNUSED;

/* Opens an image in memory, which is borrowed and not modified. */
bool elf_open_memory(struct elf_file *elf, const void *bytes, size_t size_bytes,
		     struct error *err) WARN_UNUSED;

/* Opens a byte range of fd. fd is borrowed; the file must not shrink. */
bool elf_open_range(struct elf_file *elf, int fd, uint64_t begin, uint64_t size_bytes,
		    struct error *err) WARN_UNUSED;

/* Opens the vdso of this process. */
bool elf_open_own_vdso(struct elf_file *elf, struct error *err) WARN_UNUSED;

void elf_close(struct elf_file *elf);

/*
 * Returns a descriptor with which another process can read the whole file. The caller closes the
 * descriptor. A file in memory is copied. Returns -1 on failure.
 */
int elf_share(const struct elf_file *elf);

/*
 * Finds the build-id in the contents of a SHT_NOTE section, a PT_NOTE segment, or
 * /sys/kernel/notes. Returns false if there is no build-id.
 */
bool elf_build_id_of_notes(struct span notes, struct build_id *ret);

/* The section with this name, or NULL. */
const struct elf_section *elf_find_section(const struct elf_file *elf, const char *name);

/*
 * Subtracts the size of a section from *bytes_left, whose initial value is the size of the file.
 * Returns false if the section is larger than *bytes_left. In a hostile file, many sections may
 * overlap. Loops over sections are therefore bounded.
 */
bool elf_section_spend(const struct elf_section *section, uint64_t *bytes_left);

/*
 * Returns the contents of a section as in the file. Returns an empty span for SHT_NOBITS, or if the
 * section is out of bounds. The span is valid until elf_close.
 */
struct span elf_section_bytes(const struct elf_file *elf, const struct elf_section *section);

/*
 * Returns a copy of the contents of a section, which the caller frees. Returns NULL if the section
 * has no contents.
 */
unsigned char *elf_section_copy(const struct elf_file *elf, const struct elf_section *section);

/* The contents of a segment; empty in a slim file. */
struct span elf_segment_bytes(const struct elf_file *elf, const struct elf_segment *segment);

/*
 * The contents of a section, decompressed if necessary (SHF_COMPRESSED or .zdebug). Returns false
 * if the contents exceed cap_bytes, are corrupt, or need a codec that this build lacks. Each
 * section is decompressed only once. The result is valid until elf_close.
 */
bool elf_section_decompress(const struct elf_file *elf, const struct elf_section *section,
			    size_t cap_bytes, struct span *ret, struct error *err) WARN_UNUSED;

/* Reads up to size_bytes of the file from offset on. Returns the number of bytes read. */
size_t elf_read(const struct elf_file *elf, uint64_t offset, void *buffer, size_t size_bytes);

/* Converts a file offset to an address. Returns false if the offset is not in a code segment. */
bool elf_address_of_offset(const struct elf_file *elf, uint64_t offset, uint64_t *ret);

/*
 * Like elf_address_of_offset, for code and data. If only a part of a segment is in the file,
 * offsets beyond this part refer to the segment's .bss, which follows this part in memory. Returns
 * false if the offset is not in any segment.
 */
bool elf_data_address_of_offset(const struct elf_file *elf, uint64_t offset, uint64_t *ret);

/*
 * Whether file offsets of code are valid. In a separate debug file, file offsets of code are
 * invalid.
 */
bool elf_has_code(const struct elf_file *elf);

/* Opens a symbol table. Returns false if the file does not have one. */
bool elf_symbols_open(const struct elf_file *elf, enum elf_symbol_table which,
		      struct elf_symbols *ret);
/*
 * Reads a row. Returns false if the name of the row is out of bounds, because the row is then
 * corrupt.
 */
bool elf_symbols_get(const struct elf_symbols *symbols, uint32_t index, struct elf_symbol *ret);

#endif
