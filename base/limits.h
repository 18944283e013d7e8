/* SPDX-License-Identifier: MIT */
/*
 * Every cap on what an input may make us do, with its reason. A capture beyond one of them is
 * reported (ERROR_LIMIT, or counted), never obeyed.
 */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

/* A record's size is 16 bits; its payload is all a sample can hold. */
#define LIMIT_RECORD_BYTES 65536u
/* Entries in one call chain: what fits a record. The kernel's own cap is 127 by default. */
#define LIMIT_CALLCHAIN_ENTRIES (LIMIT_RECORD_BYTES / 8)
/* Wakers of wakers behind one wait. Requests pass through fewer threads; a ring of threads that wake
 * one another goes on for as long as the wait does. */
#define LIMIT_WAKERS 16u
/* Return addresses of one module that a file is checked by: enough for shares of a hundred, at 2 kB read each. */
#define LIMIT_RETURN_SITES 1024u
/* Samples whose stacks are searched for return addresses, and words of each: the innermost 8 kB. */
#define LIMIT_RETURN_SAMPLES 512u
#define LIMIT_RETURN_WORDS   1024u
/* Branches of a sample that are drawn as its history: processors keep 64 at most. */
#define LIMIT_HISTORY_BRANCHES 256u
/* User call chains that were written later than their samples; rows of about 32 bytes stay in memory. */
#define LIMIT_DEFERRED_CALLCHAINS (1u << 24)
/* Event attributes in one capture: perf itself opens one per event and refuses thousands. */
#define LIMIT_ATTRS 65536u
/* Event ids in one capture: events times CPUs; a 1024-CPU host with 1000 events. */
#define LIMIT_EVENT_IDS (1u << 20)
/* One header feature section, held in memory while it is read (HEADER_BPF_BTF is the largest). */
#define LIMIT_FEATURE_BYTES (64u << 20)
/* Kinds of counting hardware and software in one machine; hundreds on a large server. */
#define LIMIT_PMUS 4096u
/* Tracepoints of one kernel, whose numbers have 16 bits, and a name, which is a C identifier. */
#define LIMIT_TRACEPOINTS           65536u
#define LIMIT_TRACEPOINT_NAME_BYTES 256u
/* Fields of one tracepoint; the largest of Linux have some 50. */
#define LIMIT_TRACEPOINT_FIELDS 1024u
/* Texts of the kernel that tracepoints point to; Linux 6.18 has some 100. */
#define LIMIT_KERNEL_TEXTS 65536u
/* The print format of one: the longest of Linux 6.18 has 5 kB. How deep its brackets go, which is how
 * deep the recursion does; Linux has some 20. And how far its text is padded. */
#define LIMIT_PRINT_BYTES (64u << 10)
#define LIMIT_PRINT_DEPTH 128u
#define LIMIT_PRINT_WIDTH 1024
/* The print formats of all tracepoints that are events of one capture; read, a byte of it may become
 * 120. Those of Linux 6.18 have 1 MB, and hardly anybody records them all. */
#define LIMIT_PRINTS_BYTES (4u << 20)
/* One line of what a capture says of itself, as it is shown. */
#define LIMIT_FACT_BYTES (64u << 10)
/* Build ids in one capture: one for every file ever mapped. */
#define LIMIT_BUILD_IDS (1u << 20)
/* A file that an option names: attributes or colours of functions, a line each. */
#define LIMIT_OPTION_FILE_BYTES (64u << 20)
/* A path or command name out of a capture; PATH_MAX is 4096. */
#define LIMIT_NAME_BYTES 4096u
/* A symbol's name before and after demangling; longer ones are cut with "...". */
#define LIMIT_SYMBOL_BYTES 4096u
/* The demangler's own recursion guard refuses more than this many mangled bytes. */
#define LIMIT_MANGLED_BYTES 1023u
/* What libiberty may do for one name of D: pieces, and 2 to the power of functions in it. */
#define LIMIT_D_STEPS     (64u << 10)
#define LIMIT_D_FUNCTIONS 16u
/* The same of C++: each doubles the time. */
#define LIMIT_CPLUSPLUS_TRIALS     8u
#define LIMIT_CPLUSPLUS_REFERENCES 16u
/* The same of Rust: lifetimes brought at once, which are counted one by one; parts inside one another. */
#define LIMIT_RUST_LIFETIMES 1024u
#define LIMIT_RUST_DEPTH     256u
/* Symbols in one file: Chromium with debug symbols has about 2 million. */
#define LIMIT_SYMBOLS (1u << 25)
/* Places in one file that look like the beginning of Go's table of functions and are looked at in full. */
#define LIMIT_GO_TABLES 16u
/* Pieces of code that jitdumps tell of, each of which takes about a kilobyte; large servers in Java have
 * some 100 000. */
#define LIMIT_JIT_CODES (1u << 20)
/* Sections and program headers of one ELF file: -ffunction-sections makes a section a function,
 * and more program headers than this exist only in core dumps. */
#define LIMIT_ELF_SECTIONS (1u << 22)
#define LIMIT_ELF_SEGMENTS 4096u
/* One note section or segment; the build-id is 36 bytes of it. */
#define LIMIT_ELF_NOTE_BYTES (1u << 20)
/* Symbols packed into .gnu_debugdata, or a compressed symbol table; those of Firefox's libxul take 20 MB. */
#define LIMIT_DEBUGDATA_BYTES ((size_t)256 << 20)
/* A file that is compressed as a whole, before and after: kernel modules with debug information have
 * tens of megabytes, a kernel some hundreds. */
#define LIMIT_UNPACKED_OBJECT_BYTES ((size_t)1 << 30)
/* An ELF file or text map we are asked to read for symbols. */
#define LIMIT_OBJECT_BYTES ((uint64_t)16 << 30)
/* kallsyms, perf-PID.map and System.map copies are text; kallsyms has about 10 MB. */
#define LIMIT_SYMBOL_TEXT_BYTES ((uint64_t)1 << 30)
/* One file from a debuginfod server: its bytes, as the largest separate debug files of browsers have; seconds
 * until all of it is here, and until 100 kB more are. After so many that failed in a row, and not for lack of the
 * file, servers are not asked again: each may take those seconds. */
#define LIMIT_DOWNLOAD_BYTES        ((uint64_t)4 << 30)
#define LIMIT_DOWNLOAD_SECONDS      900u
#define LIMIT_DOWNLOAD_IDLE_SECONDS 30u
#define LIMIT_DOWNLOAD_FAILURES     3u
/* A source file that lines are packed of, and all of them: of generated ones some have 10 MB. What is
 * packed of one, and of all: lines of code are short. */
#define LIMIT_SOURCE_FILE_BYTES  (64u << 20)
#define LIMIT_SOURCE_READ_BYTES  (1u << 30)
#define LIMIT_SOURCE_LINES_BYTES (1u << 20)
#define LIMIT_SOURCES_BYTES      (64u << 20)
/* Files looked at when a symbol folder is indexed, and how deep folders are followed. */
#define LIMIT_INDEX_FILES (1u << 20)
#define LIMIT_INDEX_DEPTH 32u

/* Perf maps whose addresses are compared with those of processes: a machine has hundreds of containers. */
#define LIMIT_MAP_CANDIDATES 4096u
/* Paths searched for one module's symbols that `kiln info` lists; the rest is counted. */
#define LIMIT_SEARCHED_PATHS 64u
/* One section of call frame information: Chromium has 30 MB of it, for a million functions. What is
 * common to many functions is read again for each: of its bytes compilers need some 10. */
#define LIMIT_CFI_SECTION_BYTES      ((uint64_t)256 << 20)
#define LIMIT_CFI_FUNCTIONS          (1u << 23)
#define LIMIT_CFI_AUGMENTATION_BYTES 16u
#define LIMIT_CFI_CIE_BYTES       256u
/* Of one function: rows, of which the largest functions have thousands, those among them that need
 * more than offsets, and states that are remembered at a time; compilers remember one or two. */
#define LIMIT_CFI_ROWS         65536u
#define LIMIT_CFI_COMPLEX_ROWS 256u
#define LIMIT_CFI_REMEMBERED   16u
/* Operations of one expression, and numbers it may put by. */
#define LIMIT_EXPRESSION_STEPS 256u
#define LIMIT_EXPRESSION_STACK 64u
/* Different rules met by one thread: 19 programs and libraries of a compiler had 958 together. */
#define LIMIT_UNWIND_RULES (1u << 18)
/* Of these, rows that are kept whole, about 2 kB each; libc has 10. */
#define LIMIT_UNWIND_COMPLEX_ROWS (1u << 14)
/* Frames of one stack: what fits a record, were each a return address alone. */
#define LIMIT_UNWIND_FRAMES (LIMIT_RECORD_BYTES / 8)
/* Threads of the worker pool; more only cost memory. */
#define LIMIT_WORKERS 256u
/* Standard input that cannot be read twice is spooled to an unnamed file up to this size. */
#define LIMIT_SPOOL_BYTES ((uint64_t)1 << 40)
/* What may come out of one compressed byte, once so much came out that it matters: gzip cannot do
 * more than 1032, and captures full of the same copied stack come to some hundreds. */
#define LIMIT_UNWRAP_RATIO      1024u
#define LIMIT_UNWRAP_FREE_BYTES (256u << 20)
/* Files with the records of one capture: one for each processor, of which Linux knows no more. */
#define LIMIT_DATA_FILES 8192u
/* Files in one archive that are looked at: a whole sysroot beside a capture. */
#define LIMIT_ARCHIVE_MEMBERS (1u << 20)
/* What one process may take to read one file's debug information: that of a large C++ program with
 * every unit touched needs some seconds and hundreds of megabytes, beside the file itself. The clock is wound
 * up again when it is asked, for which it may have to wait. */
#define LIMIT_DWARF_MEMORY_BYTES ((uint64_t)4 << 30)
#define LIMIT_DWARF_CPU_SECONDS  30u
#define LIMIT_DWARF_WALL_SECONDS 120u
/* One section of debug information once it is unpacked; the largest of Chromium's have a gigabyte. */
#define LIMIT_DEBUG_SECTION_BYTES ((uint64_t)2 << 30)
/* Tables of what is to be filled in in the debug information of a kernel module: one a section, of some ten. */
#define LIMIT_RELOCATION_TABLES 64u
/* How deep entries of debug information lie inside each other, which compilers do tens of times. */
#define LIMIT_DWARF_DEPTH 256u
/* Address ranges of one file's functions and units; those of Chromium are some millions. */
#define LIMIT_DWARF_RANGES (1u << 25)
/* What debug information of one file came down to, and functions inlined into each other. */
#define LIMIT_INLINE_TABLE_BYTES ((size_t)1 << 30)
#define LIMIT_INLINE_DEPTH       128u
/* Names looked up to follow all links of one archive, long ones counting more: links of a sysroot take
 * some five each, a million of them that lead through each other would take hours. */
#define LIMIT_LINK_STEPS ((size_t)1 << 23)
/* One sample of a text, or one line: a stack as deep as any, with names as long as any, has less. */
#define LIMIT_TEXT_RECORD_BYTES ((size_t)16 << 20)
/* Who woke the waker, and so on, as stackcollapse-perf-sched.awk writes it: two threads that wake each other in
 * turn would make chains without an end. Eight stacks of 100 frames have less. */
#define LIMIT_WAKER_CHAIN_BYTES ((size_t)32 << 10)
/* Pictures of stacks: how deep XML elements lie in each other, which in flame graphs is some five; the
 * attributes of one, of which they have some twenty; bytes of a picture, and of the profile in it
 * unpacked, of which kiln writes a megabyte unless told otherwise; and boxes. */
#define LIMIT_XML_DEPTH         256u
#define LIMIT_XML_ATTRIBUTES    256u
#define LIMIT_SVG_BYTES         ((uint64_t)1 << 30)
#define LIMIT_SVG_PROFILE_BYTES ((size_t)256 << 20)
#define LIMIT_SVG_BOXES         (1u << 25)
/* What of a name a regular expression is looked for in: as much as a symbol has. Those with references back to
 * what they found take time that grows with the length of the name far faster than the length. */
#define LIMIT_PATTERN_NAME_BYTES LIMIT_SYMBOL_BYTES
/* Distinct names or numbers that are remembered to say what there is when a selection matches nothing. */
#define LIMIT_SELECTION_CANDIDATES 65536u
/* Stacks that are put together before any is told: how deep they are; and how much longer they may be
 * written out than the input is, once that is much. */
#define LIMIT_SPOOLED_DEPTH      4096u
#define LIMIT_SPOOLED_RATIO      1024u
#define LIMIT_SPOOLED_FREE_BYTES (64u << 20)

#endif
