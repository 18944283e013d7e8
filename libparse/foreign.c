/* SPDX-License-Identifier: MIT */
#include "libparse/foreign.h"

#include "base/scan.h"
#include "libparse/table_row.h"
#include "libparse/text.h"

/* The amount of text that is searched, because headings may follow a few lines of banners. */
#define LINES_MAX      60
#define LINE_BYTES_MAX 512
/* The number of bytes of an unknown heading that the error shows. */
#define SHOWN_BYTES 120

enum kind {
	KIND_MAGIC, /* bytes at an offset */
	KIND_CHECK, /* a function that checks the first bytes */
	/*
	 * a line; in the pattern, * matches anything, # a digit, ? a byte, and a blank any blanks
	 */
	KIND_LINE,
	KIND_CALLS, /* a line; kiln syscalls reads texts with such a line */
	/* a line, like KIND_LINE, of a table with a heading; kiln events reads such tables */
	KIND_ROWS,
	KIND_TABLE, /* a heading with these consecutive words; * matches the rest of a word */
};

struct foreign {
	enum kind kind;
	const char *mark;
	size_t size_bytes, offset;       /* KIND_MAGIC */
	bool (*check)(struct span head); /* KIND_CHECK */
	const char *what;                /* KIND_TABLE: the tool that prints the table */
	const char *instead;
};

#define LISTS_CALLS "contains no stacks; kiln syscalls lists its system calls"
#define SUMS_ROWS   "kiln events sums up its rows"

#define MAGIC(offset, bytes, what, instead)                                       \
	{                                                                         \
		KIND_MAGIC, bytes, sizeof(bytes) - 1, offset, NULL, what, instead \
	}
#define CHECK(function, what, instead)                          \
	{                                                       \
		KIND_CHECK, NULL, 0, 0, function, what, instead \
	}
#define LINE(pattern, what, instead)                          \
	{                                                     \
		KIND_LINE, pattern, 0, 0, NULL, what, instead \
	}
#define CALLS(pattern, what, instead)                          \
	{                                                      \
		KIND_CALLS, pattern, 0, 0, NULL, what, instead \
	}
#define ROWS(pattern, what, instead)                          \
	{                                                     \
		KIND_ROWS, pattern, 0, 0, NULL, what, instead \
	}
#define TABLE(words, tool, instead)                          \
	{                                                    \
		KIND_TABLE, words, 0, 0, NULL, tool, instead \
	}

static bool is_core(struct span head);

/* Commands that record stacks for the events that such a table lists. */
#define RECORD(event)  "to record stacks, use `perf record -g -a -e " event "`"
#define BLOCK_IO       RECORD("block:block_rq_issue")
#define FILE_IO        RECORD("'syscalls:sys_enter_read,syscalls:sys_enter_write'")
#define FILE_OPEN      RECORD("'syscalls:sys_enter_open*'")
#define FILE_NAMES     RECORD("'syscalls:sys_enter_*stat*'")
#define FILE_SYNC      RECORD("'syscalls:sys_enter_*sync*'")
#define TCP            RECORD("sock:inet_sock_set_state")
#define TCP_RETRANSMIT RECORD("tcp:tcp_retransmit_skb")
#define SOCKETS        RECORD("'syscalls:sys_enter_bind,syscalls:sys_enter_listen'")
#define PROCESSES      RECORD("sched:sched_process_exec")
#define EXITS          RECORD("sched:sched_process_exit")
#define SIGNALS        RECORD("signal:signal_generate")
#define SYSCALLS       RECORD("raw_syscalls:sys_enter")
#define WAITS \
	"use `perf record -g -a -e sched:sched_switch` and kiln offcpu to see where threads wait"
#define RECLAIM      RECORD("vmscan:mm_vmscan_direct_reclaim_begin")
#define COMPACTION   RECORD("compaction:mm_compaction_begin")
#define ALLOCATIONS  RECORD("kmem:kmem_cache_alloc")
#define INTERRUPTS   RECORD("'irq:*'")
#define CPU          "use `perf record -g -a` to see where the CPUs spend their time"
#define TRACED       "record stacks with `perf record -g`, or with `stackcount` of BCC"
#define FROM_DATA    "use the perf.data that it was made from"
#define AS_STDIO     "use the perf.data that it was made from, or print it with `perf report --stdio`"
#define FROM_CAPTURE "use the capture that it was made from, or record with `perf record -g`"
/*
 * A function that two others call has a single sum for both callers, so such costs have no stacks.
 */
#define WITHOUT_STACKS " (costs of calls, no stacks)"
#define KCACHEGRIND \
	"view it with KCachegrind or callgrind_annotate, or record with `perf record -g`"
#define AS_FOLDED "use the capture that it was made from, or let the profiler write folded stacks"

/* One row for each kind of input. The first row that matches a line wins. */
/* clang-format off */
static const struct foreign table[] = {
	MAGIC(0, "FLR\0", "a recording of Java's Flight Recorder (JFR)",
	      "convert it with async-profiler: `jfrconv -o collapsed FILE.jfr out.folded`"),
	MAGIC(0, "PK\3\4", "a zip archive", "unpack it, and use a file in it as the input"),
	MAGIC(0, "Rar!", "a RAR archive", "unpack it, and use a file in it as the input"),
	MAGIC(0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it, and use a file in it as the "
	      "input"),
	MAGIC(0, "\xc1\x1f\xfc\xc1", "a stream of a CTF trace",
	      "convert the trace with `babeltrace2`, or record with perf"),
	MAGIC(0, "\xc1\xfc\x1f\xc1", "a stream of a CTF trace",
	      "convert the trace with `babeltrace2`, or record with perf"),
	MAGIC(0, "\x75\xd1\x1d\x57", "the metadata of a CTF trace",
	      "convert the trace with `babeltrace2`, or record with perf"),
	MAGIC(0, "\x57\x1d\xd1\x75", "the metadata of a CTF trace",
	      "convert the trace with `babeltrace2`, or record with perf"),
	MAGIC(0, "/* CTF 1", "the metadata of a CTF trace",
	      "convert the trace with `babeltrace2`, or record with perf"),
	CHECK(is_core, "a core dump (a snapshot, not a profile)",
	      "print its stacks with `thread apply all bt` in gdb, and use the output as the "
	      "input"),
	MAGIC(0, "\x7f" "ELF", "an ELF file (a program, library or debug file)",
	      "use it with --symbols, together with a capture"),
	MAGIC(0, "gmon\1\0\0\0", "a gmon.out of gprof (no stacks)",
	      "record with `perf record -g`"),
	MAGIC(0, "MDMP\x93\xa7", "a minidump (a snapshot, not a profile)",
	      "open it with a debugger, or record a profile with `perf record -g`"),
	MAGIC(0, "\x0a\x0d\x0d\x0a", "a packet capture (pcapng)", TCP),
	MAGIC(0, "\xd4\xc3\xb2\xa1", "a packet capture (pcap)", TCP),
	MAGIC(0, "\xa1\xb2\xc3\xd4", "a packet capture (pcap)", TCP),
	MAGIC(0, "SQLite format 3\0", "an SQLite database",
	      "use the perf.data that it was exported from"),
	MAGIC(0, "\x89PNG", "a PNG image", "use the SVG, or the capture that it was made from"),
	MAGIC(0, "%PDF", "a PDF document", "use the SVG, or the capture that it was made from"),
	MAGIC(0, "JiTD", "a jitdump (names of JIT-compiled code)",
	      "use it with --symbols, together with its perf.data"),
	MAGIC(0, "DtiJ", "a jitdump (names of JIT-compiled code)",
	      "use it with --symbols, together with its perf.data"),
	MAGIC(8, "trace\0\0\0", "a Go execution trace",
	      "record a CPU profile with runtime/pprof or `perf record -g`"),

	/* perf */
	LINE("? Overhead *", "the screen of `perf report`", AS_STDIO),
	LINE("? Children * Self *", "the screen of `perf report`", AS_STDIO),
	LINE("? Baseline *Delta*", "the output of `perf diff`",
	      "use kiln diff with the two perf.data files that it was made from"),
	LINE("Percent*|*Source code & Disassembly*", "the output of `perf annotate`", FROM_DATA),
	LINE("Task *Runtime ms*", "the output of `perf sched latency`",
	      "use kiln offcpu with the perf.data that it was made from"),
	LINE("time *cpu *task name*", "the output of `perf sched timehist`",
	      "use kiln offcpu with the perf.data that it was made from"),
	LINE("Name *acquired *contended*", "the output of `perf lock report`", FROM_DATA),
	LINE("contended *total wait*", "the output of `perf lock contention`", FROM_DATA),
	CALLS("? ( ): *", "the output of `perf trace`", SYSCALLS),
	CALLS("*.### ( *", "the output of `perf trace`", SYSCALLS),
	LINE("Samples: * of event *Event count*", "the screen of `perf top` or `perf report`",
	      AS_STDIO),

	/* Other tracers and profilers */
	LINE("*\"traceEvents\":*", "a Chrome trace (JSON)", AS_FOLDED),
	LINE("[{*\"ph\":*", "a Chrome trace (JSON)", AS_FOLDED),
	LINE("{*\"ph\":*\"ts\":*", "a Chrome trace (JSON)", AS_FOLDED),
	LINE("{\"meta\":{*\"interval\":*", "a Firefox profile (JSON)", FROM_CAPTURE),
	LINE("<!DOCTYPE html*", "an HTML page",
	      "use an SVG, or the capture that the page was made from; with async-profiler, use "
	      "`-o collapsed`"),
	LINE("<html*", "an HTML page",
	      "use an SVG, or the capture that the page was made from; with async-profiler, use "
	      "`-o collapsed`"),
	LINE("creator: xdebug*", "a profile of Xdebug" WITHOUT_STACKS,
	     "view it with KCachegrind, or record with Excimer, which writes folded stacks"),
	LINE("? callgrind format*", "a profile in the format of callgrind" WITHOUT_STACKS,
	     KCACHEGRIND),
	LINE("positions:*line", "a profile in the format of callgrind" WITHOUT_STACKS, KCACHEGRIND),
	LINE("desc: I1 cache:*", "a cachegrind.out of valgrind (costs of functions, no stacks)",
	     "list it with cg_annotate, or record with `perf record -g`"),
	LINE("events: Ir*", "a callgrind.out of valgrind" WITHOUT_STACKS, KCACHEGRIND),
	LINE("? TYPE * counter", "a list of metrics in the format of Prometheus", FROM_CAPTURE),
	LINE("? TYPE * gauge", "a list of metrics in the format of Prometheus", FROM_CAPTURE),
	LINE("? TYPE * histogram", "a list of metrics in the format of Prometheus", FROM_CAPTURE),
	LINE("? TYPE * summary", "a list of metrics in the format of Prometheus", FROM_CAPTURE),
	LINE("? TYPE * untyped", "a list of metrics in the format of Prometheus", FROM_CAPTURE),
	LINE("Showing nodes accounting for *", "the output of `pprof -top`",
	      "use the pprof profile that it was made from"),
	CALLS("% time *seconds *usecs/call *calls*", "the table of `strace -c`", SYSCALLS),
	CALLS("*(*) = #*", "the output of strace", SYSCALLS),
	CALLS("*(*) = -# E*", "the output of strace", SYSCALLS),
	CALLS("*(* <unfinished ...>", "the output of strace", SYSCALLS),
	LINE("ffff???????????? ? *", "a list of kernel symbols",
	      "use it with --symbols, together with a capture"),

	/* sysstat, procps and the kernel */
	LINE("avg-cpu: *%user*", "the table of iostat", BLOCK_IO),
	LINE("Device* r/s *", "the table of iostat", BLOCK_IO),
	LINE("Device* tps *", "the table of iostat", BLOCK_IO),
	LINE("*CPU *%usr *%nice *", "the table of mpstat", CPU),
	LINE("*UID *PID *%usr *", "the table of pidstat", CPU),
	LINE("*UID *PID *kB_rd/s *", "the table of pidstat", BLOCK_IO),
	LINE("*UID *PID *cswch/s *", "the table of pidstat", WAITS),
	LINE("*CPU *%user *%nice *", "the table of sar", CPU),
	LINE("procs *-memory*", "the table of vmstat", CPU),
	LINE("r b swpd free *", "the table of vmstat", CPU),
	LINE("top - *load average:*", "the screen of top", CPU),
	LINE("total used free shared *", "the table of free", ALLOCATIONS),
	LINE("Filesystem *locks *", "the table of df", FILE_IO),
	LINE("nr_free_pages #*", "/proc/vmstat (memory counters of the kernel)", ALLOCATIONS),
	LINE("MemTotal: #*", "/proc/meminfo", ALLOCATIONS),
	LINE("cpu # # # # *", "/proc/stat", CPU),
	LINE("cpu ##* #* #* #* *", "/proc/stat", CPU),
	LINE("CPU0 CPU1*", "/proc/interrupts or /proc/softirqs", INTERRUPTS),
	LINE("*CPU: # *PID: #* Comm: *", "a stack that the kernel logged (no profile)", CPU),
	LINE("*CPU: ##* *PID: #* Comm: *", "a stack that the kernel logged (no profile)", CPU),
	LINE("task:* state:* stack:*pid:*", "a stack that the kernel logged (no profile)", CPU),
	LINE("* latency trace v#*", "a trace in ftrace's latency format",
	     "turn off the ftrace option `latency-format`, and read the trace again"),
	LINE("#*,#*,#*,-*;*", "/dev/kmsg (the log of the kernel)", CPU),
	LINE("* HTTP/#*\" ### *", "an access log of a web server", CPU),
	LINE("usage_usec #*", "the cpu.stat of a cgroup", CPU),
	LINE("node # cpus: *", "the output of `numactl --hardware`",
	     RECORD("sched:sched_migrate_task")),
	TABLE("USER PID %CPU", "ps", CPU),
	TABLE("UID PID PPID", "ps", CPU),
	TABLE("PID TTY TIME CMD", "ps", CPU),

	/* BCC and bpftrace, by name; a longer heading precedes its own prefix. */
	TABLE("TIME PID COMMAND", "bashreadline", TRACED),
	TABLE("PROT ADDR PORT OPTS", "bindsnoop", SOCKETS),
	TABLE("LADDR LPORT BINDS", "bindsnoop", SOCKETS),
	LINE("{'ts': '*'val_type'*", "JSON printed by biolatency or another BCC tool",
	      "run the tool without -j to print histograms, which kiln can read"),
	LINE("* p1 *p5 *p10 *p16 *p25 *", "a table printed by biolatpcts", BLOCK_IO),
	LINE("* 01 *90.0 *99.9 *", "a table printed by biolatpcts", BLOCK_IO),
	LINE("{\"read\": {\"*", "JSON printed by biolatpcts", BLOCK_IO),
	TABLE("TIME DISK %RND %SEQ", "biopattern", BLOCK_IO),
	TABLE("COMM PID DISK T SECTOR", "biosnoop", BLOCK_IO),
	TABLE("DISK COMM PID LAT*", "biosnoop", BLOCK_IO),
	TABLE("COMM D MAJ MIN DISK", "biotop", BLOCK_IO),
	TABLE("PID COMM TYPE COUNT", "bpflist", TRACED),
	TABLE("PID UID CMD HITS", "cachetop", FILE_IO),
	TABLE("HITS MISSES DIRTIES", "cachestat", FILE_IO),
	TABLE("COMM CAP NAME", "capable", TRACED),
	TABLE("COMM PID NODE ZONE ORDER", "compactsnoop", COMPACTION),
	LINE("*%CPU *%, unclaimed idle *", "a table printed by cpuunclaimed", CPU),
	LINE("TIMESTAMP_ns,CPU0*", "a table printed by cpuunclaimed", CPU),
	LINE("Finding critical section with *", "a report of criticalstat", TRACED),
	TABLE("TIME* PID COMM T FILE", "dcsnoop", FILE_NAMES),
	LINE("Potential Deadlock Detected!", "a report of deadlock", TRACED),
	LINE("Mutexes: #*, Edges: #*", "a report of deadlock", TRACED),
	TABLE("TIME REFS/s SLOW/s MISS/s", "dcstat", FILE_NAMES),
	TABLE("READS WRITES R_Kb W_Kb PATH", "dirtop", FILE_IO),
	TABLE("COMM PID LAT* PAGES", "drsnoop", RECLAIM),
	TABLE("PCOMM PID RET ARGS", "execsnoop", PROCESSES),
	TABLE("PCOMM PID PPID RET ARGS", "execsnoop", PROCESSES),
	TABLE("TIME* PID ARGS", "execsnoop", PROCESSES),
	TABLE("COMM PID RET ARGS", "execsnoop", PROCESSES),
	TABLE("COMM PID PPID RET ARGS", "execsnoop", PROCESSES),
	TABLE("PCOMM PID PPID TID AGE*", "exitsnoop", EXITS),
	TABLE("COMM PID T BYTES OFF_KB", "ext4slower, xfsslower or a similar tool", FILE_IO),
	ROWS("ENDTIME_us,TASK,PID,TYPE,*",
	      "a table printed by ext4slower, xfsslower or a similar tool",
	      FILE_IO),
	TABLE("TIME PID COMM AGE* FILE", "filelife", FILE_NAMES),
	TABLE("COMM PID D BYTES LAT*", "fileslower", FILE_IO),
	TABLE("COMM READS WRITES R_Kb", "filetop", FILE_IO),
	TABLE("COMM PID LAT* RVAL", "funcslower", TRACED),
	TABLE("PID COMM LAT* HOST", "gethostlatency", TRACED),
	TABLE("TIME PID COMM SIG TPID", "killsnoop", SIGNALS),
	LINE("Caller *Avg Spin *", "a table printed by klockstat", WAITS),
	LINE("Caller *Avg Hold *", "a table printed by klockstat", WAITS),
	LINE("Caller *Avg Wait *", "a table printed by klockstat", WAITS),
	TABLE("NAME CPU REFERENCE MISS", "llcstat",
	      "to record stacks, use `perf record -g -e cache-misses`"),
	LINE("*load averages: *.* *.*", "the output of loads", CPU),
	TABLE("TIME PID COMM DEVICE", "mdflush", FILE_SYNC),
	TABLE("COMM PID TID MNT_NS CALL", "mountsnoop", TRACED),
	TABLE("COMM PID TID PCOMM PPID MNT_NS", "mountsnoop", TRACED),
	TABLE("TIME* PID MS QUERY", "dbslower or mysqld_qslower", TRACED),
	TABLE("TIME PCOMM PPID COMM PID SECONDS", "naptime", WAITS),
	LINE("QueueID *avg_size *", "a table printed by netqtop", TRACED),
	TABLE("TIME PID TID SRC_NID DST_NID", "numasched", RECORD("sched:sched_migrate_task")),
	LINE("*OOM kill of PID *", "the output of oomkill", TRACED),
	TABLE("COMM FD ERR", "opensnoop", FILE_OPEN),
	TABLE("COMM ERR PATH", "statsnoop", FILE_NAMES),
	LINE("* PIDs/sec: *", "the output of pidpersec", PROCESSES),
	LINE("Resetting tracing state...", "the output of reset-trace", TRACED),
	LINE("Noticed unrelated tracing file *", "the output of reset-trace", TRACED),
	LINE("Needed to reset /sys/*", "the output of reset-trace", TRACED),
	LINE("Reset*ing /sys/*", "the output of reset-trace", TRACED),
	LINE("runqocc*#.##%", "the output of `runqlen -O`", WAITS),
	TABLE("TIME COMM TID LAT*", "runqslower", WAITS),
	TABLE("TIME COMM PID LAT*", "runqslower", WAITS),
	TABLE("TIME PID COMM UID SYSCALL", "setuids", SYSCALLS),
	TABLE("PID COMM SYS RET ARG*", "shmsnoop", TRACED),
	TABLE("CACHE ALLOCS BYTES", "slabratetop", ALLOCATIONS),
	TABLE("ACTION TID COMM SOCKET FD", "sofdsnoop", SYSCALLS),
	TABLE("TIME STAGE SOFTIRQ LAT*", "softirqslower", INTERRUPTS),
	TABLE("COMM NETNS PROTO BACKLOG", "solisten", SOCKETS),
	TABLE("FUNC TIME* COMM PID LEN", "sslsniff", TRACED),
	TABLE("TIME* TID COMM LAT* RET FUNC", "sslsnoop", TRACED),
	TABLE("TIME* CALL", "syncsnoop", FILE_SYNC),
	TABLE("TIME* COMM CALL", "syncsnoop", FILE_SYNC),
	TABLE("TIME PID COMM EVENT", "syncsnoop", FILE_SYNC),
	TABLE("PID COMM RADDR RPORT LADDR LPORT", "tcpaccept", TCP),
	TABLE("PID COMM IP RADDR RPORT LADDR", "tcpaccept", TCP),
	TABLE("PID COMM IP SADDR DADDR DPORT LAT*", "tcpconnlat", TCP),
	TABLE("T PID COMM IP SADDR DADDR SPORT", "tcptracer", TCP),
	TABLE("PID COMM IP SADDR DADDR DPORT", "tcpconnect", TCP),
	TABLE("PID COMM IP SADDR LPORT DADDR", "tcpconnect", TCP),
	TABLE("PID COMM SADDR SPORT DADDR DPORT", "tcpconnect", TCP),
	TABLE("LADDR RADDR RPORT CONNECTS", "tcpconnect", TCP),
	TABLE("SADDR:SPORT > DADDR:DPORT", "tcpdrop", RECORD("skb:kfree_skb")),
	TABLE("SADDR:SPORT DADDR:DPORT STATE*", "tcpdrop", RECORD("skb:kfree_skb")),
	TABLE("LPORT RADDR RPORT TX_KB", "tcplife", TCP),
	ROWS("TIME,TIME(s),PID,COMM,IP,LADDR,*", "a table printed by tcplife", TCP),
	TABLE("LPORT RADDR RPORT RX*", "udplife", SOCKETS),
	TABLE("LADDR:LPORT RADDR:RPORT", "tcpretrans", TCP_RETRANSMIT),
	TABLE("LADDR:LPORT T> RADDR:RPORT", "tcpretrans", TCP_RETRANSMIT),
	TABLE("SKADDR C-PID C-COMM LADDR", "tcpstates", TCP),
	LINE("{\"date\": \"*\"entries\": {*", "JSON printed by tcpsubnet", TCP),
	LINE("[##/##/## ##:##:##]", "the output of tcpsubnet", TCP),
	TABLE("PID COMM LADDR* RADDR* RX_KB TX_KB", "tcptop", TCP),
	TABLE("TIME(ms) PID COMM FUNC", "threadsnoop", TRACED),
	TABLE("PID TID COMM FUNC", "trace", TRACED),
	TABLE("PID COMM FUNC", "trace", TRACED),
	LINE("*:* [sema 0x*]", "the output of tplist", TRACED),
	TABLE("CPU PID TID TIME* METHOD", "uflow", TRACED),
	LINE("START *TIME (us) *DESCRIPTION*", "a table printed by ugc", TRACED),
	TABLE("TIME COMM PID SIZE DATA", "undump", TRACED),
	TABLE("CMDLINE METHOD/s GC/s", "ustat", CPU),
	TABLE("TIME ID TYPE DESCRIPTION", "uthreads", TRACED),
	TABLE("TIME READ/s WRITE/s CREATE/s", "vfsstat", FILE_IO),
	TABLE("TIME READ/s WRITE/s FSYNC/s", "vfsstat", FILE_IO),
	TABLE("TIME DEVICE PAGES REASON", "writeback", RECORD("writeback:writeback_start")),
};
/* clang-format on */

/* An ELF file whose type is ET_CORE, in its own byte order. */
static bool is_core(struct span head)
{
	static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F' };
	const unsigned char *at = head.at;

	return span_left(&head) >= 18 && memcmp(at, magic, sizeof(magic)) == 0 &&
	       ((at[16] == 4 && at[17] == 0) || (at[16] == 0 && at[17] == 4));
}

static bool is_byte(char pattern, char byte)
{
	if (pattern == '#')
		return is_digit(byte);
	return pattern == '?' || pattern == byte || (pattern == ' ' && byte == '\t');
}

/* Classic glob matching, in which only the last * is retried after a mismatch. */
static bool matches(const char *pattern, struct text text)
{
	const char *at = text.at;
	const char *end = at + text.length;
	const char *star = NULL;
	const char *retry = at;

	while (at < end) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = at;
		} else if (*pattern && is_byte(*pattern, *at)) {
			bool is_gap = *pattern++ == ' ';

			at++;
			while (is_gap && at < end && is_blank(*at))
				at++;
		} else if (star) {
			pattern = star;
			at = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

/* Whether the line begins with these words. */
static bool begins_with_words(const char *words, struct text line)
{
	struct text wanted = text_of(words);
	struct text want;
	struct text word;

	while (text_next_word(&wanted, &want)) {
		char pattern[32];

		if (!text_next_word(&line, &word))
			return false;
		snprintf(pattern, sizeof(pattern), "%.*s", (int)want.length, want.at);
		if (!matches(pattern, word))
			return false;
	}
	return true;
}

static bool has_words(const char *words, struct text line)
{
	struct text word;

	do {
		if (begins_with_words(words, line))
			return true;
	} while (text_next_word(&line, &word));
	return false;
}

static bool is_magic(const struct foreign *row, struct span head)
{
	if (row->kind == KIND_CHECK)
		return row->check(head);
	return row->kind == KIND_MAGIC && span_left(&head) >= row->offset + row->size_bytes &&
	       memcmp(head.at + row->offset, row->mark, row->size_bytes) == 0;
}

bool foreign_refuse_magic(struct span head, struct error *err)
{
	for (const struct foreign *row = table; row < table + ARRAY_SIZE(table); row++) {
		if (!is_magic(row, head))
			continue;
		error_set(err, ERROR_UNSUPPORTED, "is %s, which kiln cannot read; %s", row->what,
			  row->instead);
		return true;
	}
	return false;
}

static bool refuse_line(struct text line, struct error *err)
{
	for (const struct foreign *row = table; row < table + ARRAY_SIZE(table); row++) {
		if (row->kind == KIND_LINE && matches(row->mark, line))
			error_set(err, ERROR_UNSUPPORTED, "is %s, which kiln cannot read; %s",
				  row->what, row->instead);
		else if (row->kind == KIND_CALLS && matches(row->mark, line))
			error_set(err, ERROR_UNSUPPORTED, "is %s, which " LISTS_CALLS "; %s",
				  row->what, row->instead);
		else if (row->kind == KIND_ROWS && matches(row->mark, line))
			error_set(err, ERROR_UNSUPPORTED,
				  "is %s, which contains no stacks; " SUMS_ROWS "; %s", row->what,
				  row->instead);
		else if (row->kind == KIND_TABLE && has_words(row->mark, line))
			error_set(err, ERROR_UNSUPPORTED,
				  "is a table printed by %s, which contains no stacks; " SUMS_ROWS
				  "; %s",
				  row->what, row->instead);
		else
			continue;
		return true;
	}
	return false;
}

bool foreign_refuse_text(struct span head, struct error *err)
{
	const char *next = (const char *)head.begin;
	struct text line;

	for (int i = 0; i < LINES_MAX && text_next_line(&next, (const char *)head.end, true, &line);
	     i++) {
		line = text_trim(line);
		if (line.length > LINE_BYTES_MAX)
			line.length = LINE_BYTES_MAX;
		if (line.length && refuse_line(line, err))
			return true;
	}
	return false;
}

bool foreign_refuse_table(struct span head, struct error *err)
{
	const char *next = (const char *)head.begin;
	struct text line;
	struct text row;

	while (text_next_line(&next, (const char *)head.end, true, &line)) {
		const char *behind = next;

		if (!table_is_heading(line) ||
		    !text_next_line(&behind, (const char *)head.end, true, &row) ||
		    !table_columns_of(row).gap_count)
			continue;
		line = text_trim(line);
		error_set(err, ERROR_UNSUPPORTED,
			  "is a table without stacks, with the columns %.*s; " SUMS_ROWS "; %s",
			  (int)(line.length < SHOWN_BYTES ? line.length : SHOWN_BYTES), line.at,
			  TRACED);
		return true;
	}
	return false;
}
