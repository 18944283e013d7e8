/* SPDX-License-Identifier: MIT */
#include "libparse/formats.h"

#include <criterion/criterion.h>

#include "tests/support/leaks.h"
#include "tests/support/memory_file.h"

#define FOLDED    "app;main;parse 3\napp;main 4\n"
#define SCRIPT    "app 7 1.5: 3 cycles:\n\t    1149 f (/bin/app)\n\t    1210 main (/bin/app)\n\n"
#define BPFTRACE  "@[\n    f+1\n    g+2\n]: 3\n"
#define HISTOGRAM "@us[app]: \n[64, 128)             12 |@@@@@@@@@@|\n"
#define COUNTERS  " Performance counter stats for 'true':\n\n   1,234      cycles\n"
#define FIELDS    "1234,,cycles,5000,100.00,,\n"
#define BLOCK     "    f\n    main\n    -                app (7)\n        3\n"
#define JAVA      "\"main\" #1 prio=5 tid=0x00007f nid=0x1 runnable\n\tat A.f(A.java:1)\n\n"
#define GOROUTINE "goroutine 1 [running]:\nmain.main()\n\t/w.go:1 +0x1\n\n"
#define SAMPLE    "Call graph:\n    9 Thread_1\n    + 9 f  (in a) + 1  [0x12]\n"
#define REPORT                          \
	"# Overhead  Command  Symbol\n" \
	"   100.00%  app      [.] f\n"  \
	"            |\n"               \
	"            ---f\n"            \
	"               main\n\n"
#define GHC                                                               \
	"COST CENTRE MODULE no. entries  %time %alloc   %time %alloc\n\n" \
	"MAIN        MAIN     1       0  100.0  100.0   100.0  100.0\n\n"
#define BACKTRACE "#0  0x1 in f () from /lib/f.so\n#1  0x2 in main ()\n"
#define GRAPH     " 1)               |  f() {\n 1)   0.500 us    |    g();\n 1)   1.500 us    |  }\n"
#define NOISE     "WARNING: addresses are restricted\nSee the manual page.\nGoing on.\n"
#define MARK      "\xef\xbb\xbf"

/* NULL: no format, and err has the reason. */
static const char *format_of_bytes(const char *bytes, size_t size_bytes, struct error *err)
{
	struct memory_file file;
	struct capture capture;
	const char *name = NULL;

	memory_file_open(&file, bytes, size_bytes);
	if (capture_open(&capture, file.path, err)) {
		name = capture.format->name;
		capture_close(&capture);
	}
	memory_file_close(&file);
	return name;
}

static const char *format_of(const char *text)
{
	struct error ignored;

	return format_of_bytes(text, strlen(text), &ignored);
}

Test(formats, are_found_by_content)
{
	static const struct {
		const char *text, *name;
	} rows[] = {
		{ FOLDED, "folded" },
		{ SCRIPT, "perf-script" },
		{ BPFTRACE, "bpftrace" },
		{ HISTOGRAM, "bpftrace" },
		{ COUNTERS, "perf-stat" },
		{ FIELDS, "perf-stat" },
		{ BLOCK, "bcc" },
		{ BACKTRACE, "backtrace" },
		{ GRAPH, "function-graph" },
		{ JAVA, "java-dump" },
		{ GOROUTINE, "goroutines" },
		{ SAMPLE, "macos-sample" },
		{ GHC, "ghc-prof" },
		{ REPORT, "perf-report" },
		{ "There is nothing\nin 3 lines\nof prose.\n", NULL },
		/* Folded stacks of one frame, if nothing contradicts this. */
		{ "main 10\n", "folded" },
		{ "main 10\nWeb Content 3\nioctl 3 7\nread 1\n", "folded" },
		{ "main 10\nread 0\nwrite 0\n", NULL },
		{ "main 10 20\nread 3 4\n", NULL },
		{ "main       10\nread       20\n", NULL },
		{ "main\t10\nread\t20\n", NULL },
		{ "NAME COUNT\nmain 10\nread 20\n", NULL },
		{ "main: 10\nread: 20\n", NULL },
		{ "main = 10\nread = 20\n", NULL },
		{ "a line of text\nmain 10\n", NULL },
		/* Two numbers after a stack are two counts. */
		{ "a;b 10 20\nmain 3 4\n", "folded" },
		/* A table after folded stacks, and texts with a `;` that does not join frames. */
		{ "a;b 10\nPID   COMM   COUNT\n12    sh     3\n14    sh     4\n15    ls     1\n",
		  "folded" },
		{ "12   7   0   sh -c cd;ls 3\n14   9   0   sh -c ls;wc 4\n", NULL },
		{ "int i; return 3\nfor (i; j) 5\n", NULL },
		{ "hello sh; 3\nhello ls; 5\n", NULL },
		{ "nginx;GET /a HTTP/2 12\nnginx;GET /b HTTP/2 13\n", "folded" },
		{ "{\"type\": \"map\", \"data\": {\"@\": {\"a;b\": 3, \"c\": -1}}}\n",
		  "bpftrace-json" },
		{ "version 0.2; 2026-01-02\n\nversion 0.1; 2026-01-01\n", NULL },
		{ "#define A 1\n#define B 2\n", NULL },
		{ ";;; words.el --- version 3.2\n(defun f ()\n  nil)\n(defun g ()\n  nil)\n",
		  NULL },
		/* Targets of makefiles, labels of programs, and versions, which look like times. */
		{ "all:\n\tcc -c a.c\n", NULL },
		{ "loop:\n\tadd x0, x0, 1\n\tret\n", NULL },
		{ "out:\n\tfree(a);\n\treturn 1;\n", NULL },
		{ "Step 1 run:\n\tmake\n", NULL },
		{ "* Linux 5.10: news\n", NULL },
		{ "return is_set ? 1 : 0\n", NULL },
		/* Headings above indented lines that begin with a number or like an address. */
		{ "Menu:\n\t1 Open\n\t2 Close\n", NULL },
		{ "<main>:\n\tf3 0f 1e fa          \tendbr64\n\t55                   \tpush   %rbp\n",
		  NULL },
		{ "Copyright:\n\t2005 Aapo Tahkola\n", NULL },
		{ "tcp:\n\t1848 packets sent\n\t12 packets received (3 bad)\n", NULL },
		{ "Untracked files:\n\t01 - Intro.mp3\n", NULL },
		{ "Tests:\n\t12 passed\n\t1 failed\n", NULL },
		{ "Totals 2024 all:\n  10000000 EUR\n", NULL },
		{ "Pull request 12 contains:\n    1a2b3c4d5e6f fix bug\n", NULL },
		/* Logs and prose with a number that looks like a time. */
		{ "1463418374.093201: wlan0: State: SCANNING -> ASSOCIATING\n", NULL },
		{ "1463418374.093201: wlan0 (phy #0): scan started\n", NULL },
		{ "52.520008: Berlin\n48.856613: Paris\n", NULL },
		{ "3.141592: pi\n2.718281: e\n", NULL },
		{ "Chapter 3 1.2: Introduction\n\t1 Aims\n", NULL },
		{ "Python 3 3.11: the new release\n", NULL },
		{ "nginx 4711 12.345678: GET /\n", NULL },
		{ "nginx 4711 12.345678: GET: /\n", NULL },
		/* Prose with a number, and tables with an empty cell. */
		{ "There are 3 cycles\nYou have 12 branches\n", NULL },
		{ "Build took 12.5 seconds time elapsed\n", NULL },
		{ "Bob,42,,Berlin,12345,x\n", NULL },
		{ "2024,,Rent,1200,EUR\n2023,,Rent,1100,EUR\n", NULL },
		{ "1||apple|3|red\n2||pear|4|green\n", NULL },
		{ "3;C;Berlin;2024;x\n", NULL },
		{ "  Web Content-12    3      cycles\n", "perf-stat" },
		{ "S0-D0-C0    1    3      cycles\n", "perf-stat" },
		/* Labels and variables that look like maps of bpftrace. */
		{ "@loop:\n  dec eax\n  jmp @loop\n", NULL },
		{ "@color: #fff;\n@width: 10px;\n", NULL },
		{ "@bob: hello\n", NULL },
		{ "@bob: 5\n", "bpftrace" },
		{ "@a: -5\n", "bpftrace" },
		{ "@a: count 3, average 2, total 6\n", "bpftrace" },
		{ "@us: \n[2K, 4K)             803 |@@@@@@@|\n", "bpftrace" },
		/* Indented prose above a number. */
		{ "   Annual report of the company\n   Financial statements\n"
		  "                         17\n\n",
		  NULL },
		{ "  void f<int>(int, char)\n  operator new(unsigned long)\n  g+0x1 [app]\n    12\n\n",
		  "bcc" },
		/* Letters that look like fields of a pprof profile. */
		{ "@@@@@@@@@@@@@@@@@@@@@@@@\nmain;foo 3\nmain;bar 4\n", "folded" },
		{ "xxxxxxxxxxxxxxxxxx;foo 3\nxxxxxxxxxxxxxxxxxx;bar 4\n", "folded" },
		/* Numbered lists with brackets or numbers like addresses. */
		{ "#1234 Fix memory leak in parser (bug)\n#1235 Add option --foo (feature)\n",
		  NULL },
		{ "#0 Intro (0:30)\n#1 Verse (1:20)\n", NULL },
		{ "#0 0xff0000 red\n#1 0x00ff00 green\n", NULL },
		{ "#1 posted by Bob (yesterday)\n", NULL },
		{ "#0  std::map<int, long>::find (this=0x1,\n", "backtrace" },
		{ "#0  void f<int> (x=1) at a.cc:3\n", "backtrace" },
		{ "#0  (anonymous namespace)::f () at a.cc:3\n", "backtrace" },
		{ "#0  operator new (size=8) at a.cc:3\n", "backtrace" },
		{ "#0  f (a\") from /lib/f.so\n", "backtrace" },
		{ "#0  0x00007f258ee7d545 clock_nanosleep\n", "backtrace" },
		{ "#0  0x00007f258ee7d545 - /lib/f.so\n", "backtrace" },
		/* Samples with few fields, as perf prints them. */
		{ "cycles: \n\t  20 f+0x1f (app)\n\n", "perf-script" },
		{ "cycles: \n\t  20 f (/bin/app)\n\n", "perf-script" },
		{ "12 cycles:\n    401136 f\n\n", NULL },
		{ "app 17 [000] cycles: \n\t401136 f\n", "perf-script" },
		{ "1.500000: cycles: \n", "perf-script" },
		{ "1.500000:        250 cycles: \n", "perf-script" },
		{ "1.500000:           401136 f (/bin/app)\n", "perf-script" },
		{ "1.500000: sched:sched_switch: prev_comm=app ==> next_comm=b\n", "perf-script" },
		{ "app 17 1.500000: sched:sched_switch: prev_comm=app ==> next_comm=b\n",
		  "perf-script" },
		{ "             app    17 1.500000: fd: 0x3, count: 1\n", "perf-script" },
		{ "app 17 1.500000: \n", "perf-script" },
		{ "app 17 1.500000: PERF_RECORD_SWITCH OUT preempt\n", "perf-script" },
		{ "cycles: \n\t            1149 f\n\n", "perf-script" },
		{ "app 1.500000: cycles: \n", "perf-script" },
		/* Indented blocks of programs and documents that end in a number. */
		{ "fn f() -> u32 {\n    g();\n    h();\n    10\n}\n", NULL },
		{ "Run this:\n\n    $ true\n    $ echo $?\n    0\n\nDone.\n", NULL },
		/* Addresses of perf script -F comm,ip. */
		{ "sh \n\tffffffff81775b9a\n\t    7f7bc6af2ad7\n\t               0\n\n", NULL },
		{ "  f+0x1\n  main\n    12\n\nDetaching...\n", "bcc" },
		{ "  aaaac8b01234     main\n  aaaac8b01300     start\n    12\n\n", "bcc" },
		{ "Tracing 1 functions for \"c:malloc\"... Hit Ctrl-C to end.\n^C\n"
		  "  malloc\n    12\n\nDetaching...\n",
		  "bcc" },
		{ "  LazyCompile:*f /a.js:10:3\n  LazyCompile:~g /a.js:1:1\n    12\n\n", "bcc" },
		{ "1234;;cycles;1000;100,00;;\n", "perf-stat" },
		{ "S0-D0;8;1234;;cycles;0,50%;1000;100,00;;\n", "perf-stat" },
		{ "     age of pages (ms)   : count     distribution\n"
		  "         0 -> 1          : 12       |****|\n",
		  "bcc-histogram" },
		/* Other things before them. */
		{ NOISE FOLDED, "folded" },
		{ "\n\n\n" FOLDED, "folded" },
		{ MARK FOLDED, "folded" },
		{ NOISE SCRIPT, "perf-script" },
		{ NOISE BPFTRACE, "bpftrace" },
		{ NOISE COUNTERS, "perf-stat" },
		{ "the program's output 5\n" FIELDS, "perf-stat" },
		{ NOISE BLOCK, "bcc" },
		{ NOISE BACKTRACE, "backtrace" },
		{ NOISE GRAPH, "function-graph" },
		{ NOISE JAVA, "java-dump" },
		{ NOISE GOROUTINE, "goroutines" },
		{ NOISE SAMPLE, "macos-sample" },
		{ NOISE GHC, "ghc-prof" },
		{ NOISE REPORT, "perf-report" },
		/* A heading of perf report alone has a second column of it; a row alone is no report. */
		{ "# Overhead  of tracing\n" FOLDED, "folded" },
		{ "   100.00%  app  app  [.] f\n" FOLDED, "folded" },
		{ "   100.00%  app  app  [.] f\n            |\n            ---f\n", "perf-report" },
		{ "# Event 'cycles'\n#\n# Baseline  Delta Abs  Shared Object  Symbol\n"
		  "    50.00%    +10.00%  app            [.] f\n",
		  NULL },
		/* An exception, and lines that only begin like a dump. */
		{ "x.Error: a\n\tat A.f(A.java:1)\n\tat A.g(A.java:2)\n", NULL },
		{ "goroutine 1 is running:\n\"main\" nid=0x1 is not a thread\n", NULL },
		/* Cut at either end. */
		{ "    f\n    main\n    -                app (7)\n        3", "bcc" },
		{ "               |--60.00%--g\n    40.00%  app      [.] f\n            |\n            ---f\n",
		  "perf-report" },
		{ "#4  0x2 in main ()\n#5  0x3 in start ()\n", "backtrace" },
		{ " 128)             12 |@@@@@@@@@@|\n" HISTOGRAM, "bpftrace" },
		/* Lines that end in a carriage return, and empty ones between them. */
		{ "a;b 1\r\n\r\nc;d 2\r\n\r\n", "folded" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = format_of(rows[i].text);

		cr_expect(name && rows[i].name ? strcmp(name, rows[i].name) == 0
					       : name == rows[i].name,
			  "row %zu: %s", i, name ? name : "none");
	}
	assert_no_leaks();
}

/* The first capture decides the format. Most lines of the other are skipped. */
Test(formats, of_two_captures_in_one_the_first_counts)
{
	static const struct {
		const char *text, *name;
	} texts[] = {
		{ SCRIPT, "perf-script" }, { BPFTRACE, "bpftrace" },    { COUNTERS, "perf-stat" },
		{ BLOCK, "bcc" },          { BACKTRACE, "backtrace" },  { GRAPH, "function-graph" },
		{ JAVA, "java-dump" },     { GOROUTINE, "goroutines" }, { SAMPLE, "macos-sample" },
		{ GHC, "ghc-prof" },       { REPORT, "perf-report" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t j = 0; j < ARRAY_SIZE(texts); j++) {
			char both[512];
			const char *name;

			snprintf(both, sizeof(both), "%s%s", texts[i].text, texts[j].text);
			name = format_of(both);
			/* Reports with unknown lines are refused. */
			if (strcmp(texts[i].name, "perf-report") == 0)
				continue;
			/* perf script could also write each line of function_graph. */
			if (strcmp(texts[j].name, "function-graph") == 0 && i == 0)
				continue;
			cr_expect(name && strcmp(name, texts[i].name) == 0, "%s before %s: %s",
				  texts[i].name, texts[j].name, name ? name : "none");
		}
	assert_no_leaks();
}

#define BYTES(text) text, sizeof(text) - 1

Test(formats, that_are_not_read_are_named)
{
	static const struct {
		const char *bytes;
		size_t size_bytes;
		const char *what; /* in the error */
	} rows[] = {
		{ BYTES("FLR\0\0\2\0\1"), "Flight Recorder" },
		{ BYTES("PK\3\4\24\0\0\0"), "zip" },
		{ BYTES("\xc1\x1f\xfc\xc1\0\0\0\0"), "CTF" },
		{ BYTES("\x7f"
			"ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76\0"),
		  "--symbols" },
		{ BYTES("\x7f"
			"ELF\2\1\1\0\0\0\0\0\0\0\0\0\4\0\76\0"),
		  "core" },
		{ BYTES("\x7f"
			"ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\0\26"),
		  "core" },
		{ BYTES("# To display the header\n#\n# Samples: 12  of event 'cycles'\n#\n"),
		  "perf report" },
		{ BYTES("# captured on    : Mon\n# hostname : a\n# Samples: 1K of event 'cycles'\n#\n"),
		  "perf report" },
		{ BYTES("Attaching 1 probe...\n^C\n\n"), "bpftrace or BCC" },
		{ BYTES("Attaching 1 probe...\nbash\n        do_nanosleep+1\n\n"),
		  "stack with a count" },
		{ BYTES("Sampling at 49 Hertz of all threads by user + kernel stack for 5 secs.\n"),
		  "anything was recorded" },
		{ BYTES("# tracer: irqsoff\n#\n# irqsoff latency trace v1.1.5 on 6.1.0\n"
			"    bash-4251    1d..1   12us+: path_put <-path_walk\n"),
		  "latency-format" },
		{ BYTES("         ? (         ): true/12  ... [continued]: execve()) = 0\n"),
		  "perf trace" },
		{ BYTES("     0.003 ( 0.002 ms): ls/31 close(fd: 3) = 0\n"), "perf trace" },
		{ BYTES("{\"traceEvents\": [\n"), "Chrome" },
		{ BYTES("execve(\"/bin/ls\", [\"ls\"], 0x7ffd /* 9 vars */) = 0\nbrk(NULL) = 0x55d0\n"),
		  "strace" },
		{ BYTES("12 read(3, \"a;b 10\", 6) = 6\n12 close(3) = 0\n"), "strace" },
		{ BYTES("nr_free_pages 4711\nnr_zone_inactive_anon 12\n"), "/proc/vmstat" },
		{ BYTES("Device   r/s    rkB/s   %util\nsda     1.00     8.00    0.10\n"),
		  "iostat" },
		{ BYTES("TIME(s)   COMM    PID   DISK  T SECTOR   BYTES  LAT(ms)\n"
			"0.01      sync    12    sda   W 4096     512    0.74\n"),
		  "biosnoop" },
		{ BYTES("Tracing... Hit Ctrl-C to end\n10:00:00 loadavg: 0.1 0.2 0.3 1/2 3\n\n"
			"PID    COMM     D MAJ MIN DISK   I/O  Kbytes  AVGms\n12     dd       R 8   0   sda    3   12   0.5\n"),
		  "biotop" },
		{ BYTES("PID   COMM   IP SADDR        DADDR        DPORT\n"
			"12    curl   4  10.0.0.1     10.0.0.2     443\n"),
		  "tcpconnect" },
		{ BYTES("PID   COMM   IP SADDR        DADDR        DPORT LAT(ms)\n"
			"12    curl   4  10.0.0.1     10.0.0.2     443   1.25\n"),
		  "tcpconnlat" },
		{ BYTES("PID    COMM             TYPE     COUNT\n12     top              prog     2\n"),
		  "bpflist" },
		{ BYTES("COMM    PID    PPID   RET ARGS\nls      12     11     0 /bin/ls -l\n"),
		  "execsnoop" },
		{ BYTES("TIME(s)        COMM    CALL\n12.500000000   sync    sync()\n"),
		  "syncsnoop" },
		{ BYTES("TIME        READ/s  WRITE/s  FSYNC/s\n10:00:01:     12       3        0\n"),
		  "vfsstat" },
		{ BYTES("TIME     STAGE   SOFTIRQ  LAT(us)\n10:00:01 exec    net_rx   12000\n"),
		  "softirqslower" },
		{ BYTES("TIME     PID  TID  SRC_NID  DST_NID  COMM\n10:00:01 12   13   0        1        sh\n"),
		  "numasched" },
		{ BYTES("# HELP go_threads Threads.\n# TYPE go_threads gauge\ngo_threads 12\n"),
		  "Prometheus" },
		/* Like samples of perf script in one line. */
		{ BYTES("[  1.5] BUG: a\n[  1.5] CPU: 3 PID: 1234 Comm: sh Not tainted 6.1.0 #1\n"),
		  "the kernel logged" },
		{ BYTES("6,104,247591,-;ACPI: Core revision 20250807\n6,105,247592,-;Up.\n"),
		  "/dev/kmsg" },
		{ BYTES("10.0.0.1 - - [27/Nov/2026:10:00:00 +0000] \"GET /a;jsessionid=B HTTP/1.1\" 200 12\n"
			"10.0.0.2 - - [27/Nov/2026:10:00:01 +0000] \"GET /a;jsessionid=C HTTP/1.1\" 200 34\n"),
		  "access log" },
		{ BYTES("task:sh     state:S stack:    0 pid: 1234 ppid:  1233 flags:0x0\n"
			"Call Trace:\n schedule+0x5b/0xd0\n"),
		  "the kernel logged" },
		{ BYTES("[  1.5] CPU: 13 UID: 0 PID: 12 Comm: sh Not tainted 6.12.0 #1\n"),
		  "the kernel logged" },
		{ BYTES("  node 0 cpus: 0 1 2 3\n  node 0 size: 97373 MB\n"), "numactl" },
		{ BYTES("SHELF   SHOES   WORN\ntop     3       12\nlow     2       4\n"),
		  "SHELF   SHOES   WORN" },
		/* For an unknown format, the reason is the first bytes. */
		{ BYTES("\1\2\"a\\ none of all that is known, here"),
		  "\"\\x01\\x02\\x22a\\x5c none of all" },
		{ BYTES("x"), "begins with \"x\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct error err = { .text = "" };
		const char *name = format_of_bytes(rows[i].bytes, rows[i].size_bytes, &err);

		cr_expect(!name && strstr(err.text, rows[i].what), "row %zu: %s%s", i,
			  name ? name : "", err.text);
	}
	assert_no_leaks();
}

Test(formats, evidence_is_said)
{
	static const struct {
		const char *text, *reason;
	} rows[] = {
		{ FOLDED, "lines that end in a count: 2 of the first 2; with a `;`: 2" },
		{ NOISE FOLDED, "lines that end in a count: 2 of the first 5; with a `;`: 2" },
		{ "main 10\n", "lines that consist of a name and a count: 1 of the first 1" },
		{ "# kiln folded 1\na 1\n", "begins with the header of kiln fold --provenance" },
		{ NOISE SCRIPT, "line 4 is a sample of perf script" },
		/* The reason has the counts of all lines, although one line decides. */
		{ FOLDED FOLDED FOLDED FOLDED SCRIPT,
		  "lines that end in a count: 8 of the first 11; with a `;`: 8" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct memory_file file;
		struct capture capture;
		struct error err;

		memory_file_open(&file, rows[i].text, strlen(rows[i].text));
		cr_assert(capture_open(&capture, file.path, &err), "row %zu: %s", i, err.text);
		cr_expect_str_eq(capture.evidence.reason, rows[i].reason, "row %zu", i);
		capture_close(&capture);
		memory_file_close(&file);
	}
}
