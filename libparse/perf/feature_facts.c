/* SPDX-License-Identifier: MIT */
#include "libparse/perf/feature_facts.h"

#include <inttypes.h>
#include <time.h>

#define NS_PER_SECOND    ((uint64_t)1000000000)
#define COMPRESSION_ZSTD 1

/* Sends a fact, truncated to a displayable length. */
static void feature_send_fact(const struct event_sink *sink, enum fact name, struct text value)
{
	struct event event = { .kind = EVENT_FACT };

	if (!value.length)
		return;
	if (value.length > LIMIT_FACT_BYTES)
		value.length = LIMIT_FACT_BYTES;
	event.fact.name = name;
	event.fact.value = value;
	event_send(sink, &event);
}

void feature_send_line(const struct event_sink *sink, enum fact name, struct sink *line)
{
	feature_send_fact(sink, name, sink_memory(line));
	sink_deinit(line);
}

static void send_number(const struct event_sink *sink, enum fact name, uint64_t number)
{
	char text[32];
	int length = snprintf(text, sizeof(text), "%" PRIu64, number);

	feature_send_fact(sink, name, (struct text){ text, (uint32_t)length });
}

bool feature_line_is_full(const struct sink *line)
{
	return line->used >= LIMIT_FACT_BYTES;
}

bool feature_string(struct span *span, struct text *ret)
{
	struct span ahead = *span;
	uint32_t size_bytes;
	struct span string;

	if (!span_u32(&ahead, &size_bytes) || !span_sub(&ahead, size_bytes, &string))
		return false;
	*span = ahead;
	*ret = (struct text){ (const char *)string.at,
			      (uint32_t)strnlen((const char *)string.at, size_bytes) };
	return true;
}

bool feature_send_string(struct span bytes, enum fact fact, const struct event_sink *sink)
{
	struct text text;

	if (!feature_string(&bytes, &text))
		return false;
	feature_send_fact(sink, fact, text);
	return true;
}

/* In perf's documentation, the two numbers are in the opposite order. */
bool feature_send_cpu_count(struct perf_features *features, struct span bytes,
			    const struct event_sink *sink)
{
	uint32_t online;

	if (!span_u32(&bytes, &features->cpus_available) || !span_u32(&bytes, &online))
		return false;
	send_number(sink, FACT_CPUS_ONLINE, online);
	send_number(sink, FACT_CPUS_AVAILABLE, features->cpus_available);
	return true;
}

bool feature_send_memory(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink)
{
	uint64_t memory_kib;

	(void)features;
	if (!span_u64(&bytes, &memory_kib))
		return false;
	send_number(sink, FACT_MEMORY_KIB, memory_kib);
	return true;
}

static bool is_plain(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       c >= 0x80 || (c && strchr("_@%+=:,./-", c));
}

/* Quoted as in a shell, because arguments may contain spaces. */
static void write_argument(struct sink *line, struct text argument)
{
	uint32_t plain = 0;

	while (plain < argument.length && is_plain((unsigned char)argument.at[plain]))
		plain++;
	if (argument.length && plain == argument.length) {
		sink_text(line, argument);
		return;
	}
	sink_char(line, '\'');
	for (uint32_t i = 0; i < argument.length && !feature_line_is_full(line); i++) {
		if (argument.at[i] == '\'')
			sink_puts(line, "'\\''");
		else
			sink_char(line, argument.at[i]);
	}
	sink_char(line, '\'');
}

bool feature_send_command_line(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink)
{
	struct sink line;
	uint32_t count;
	uint32_t i;

	(void)features;
	if (!span_u32(&bytes, &count))
		return false;
	sink_init_memory(&line);
	for (i = 0; i < count && !feature_line_is_full(&line); i++) {
		struct text argument;

		if (!feature_string(&bytes, &argument))
			break;
		if (i)
			sink_char(&line, ' ');
		write_argument(&line, argument);
	}
	count = feature_line_is_full(&line) ? i : count;
	feature_send_line(sink, FACT_COMMAND_LINE, &line);
	return i == count;
}

/* Writes a heading and the strings that follow in bytes: "; sockets 0-3 4-7". */
static bool write_list(struct sink *line, const char *heading, struct span *bytes)
{
	uint32_t count;

	if (!span_u32(bytes, &count))
		return false;
	if (!count)
		return true;
	if (line->used)
		sink_puts(line, "; ");
	sink_puts(line, heading);
	for (uint32_t i = 0; i < count; i++) {
		struct text text;

		if (!feature_string(bytes, &text))
			return false;
		if (feature_line_is_full(line))
			continue;
		sink_char(line, ' ');
		sink_text(line, text);
	}
	return true;
}

/*
 * Old versions of the feature end after the threads. Newer versions add the core and socket of each
 * CPU, and the newest also the die. The number of CPUs is in another feature.
 */
bool feature_send_cpu_topology(struct perf_features *features, struct span bytes,
			       const struct event_sink *sink)
{
	struct sink line;
	uint64_t cores_bytes = (uint64_t)features->cpus_available * 8;
	bool good;

	sink_init_memory(&line);
	good = write_list(&line, "sockets", &bytes) && write_list(&line, "threads", &bytes);
	if (good && cores_bytes && span_left(&bytes) > cores_bytes) {
		span_skip(&bytes, cores_bytes);
		good = write_list(&line, "dies", &bytes);
	}
	feature_send_line(sink, FACT_CPU_TOPOLOGY, &line);
	return good;
}

bool feature_send_numa_topology(struct perf_features *features, struct span bytes,
				const struct event_sink *sink)
{
	struct sink line;
	uint32_t count;
	bool good = true;

	(void)features;
	if (!span_u32(&bytes, &count))
		return false;
	sink_init_memory(&line);
	for (uint32_t i = 0; i < count && !feature_line_is_full(&line); i++) {
		uint32_t node;
		uint64_t total_kib;
		uint64_t free_kib;
		struct text cpus;

		good = span_u32(&bytes, &node) && span_u64(&bytes, &total_kib) &&
		       span_u64(&bytes, &free_kib) && feature_string(&bytes, &cpus);
		if (!good)
			break;
		sink_printf(&line,
			    "%snode %" PRIu32 ": %" PRIu64 " KiB, %" PRIu64 " KiB free, cpus ",
			    i ? "; " : "", node, total_kib, free_kib);
		sink_text(&line, cpus);
	}
	feature_send_line(sink, FACT_NUMA_TOPOLOGY, &line);
	return good;
}

static void write_group_members(const struct perf_features *features, struct sink *line,
				uint32_t leader, uint32_t count)
{
	sink_char(line, '{');
	for (uint32_t i = 0; i < count && !feature_line_is_full(line); i++) {
		if (i)
			sink_char(line, ',');
		if ((uint64_t)leader + i < features->events.count)
			sink_text(line, features->events.at[leader + i].name);
		else
			sink_printf(line, "event %" PRIu64, (uint64_t)leader + i);
	}
	sink_char(line, '}');
}

bool feature_send_groups(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink)
{
	struct sink line;
	uint32_t count;
	bool good = true;

	if (!span_u32(&bytes, &count))
		return false;
	sink_init_memory(&line);
	for (uint32_t i = 0; i < count && !feature_line_is_full(&line); i++) {
		struct text name;
		uint32_t leader;
		uint32_t members;

		good = feature_string(&bytes, &name) && span_u32(&bytes, &leader) &&
		       span_u32(&bytes, &members);
		if (!good)
			break;
		if (i)
			sink_char(&line, ' ');
		if (!text_is(name, "{anon_group}"))
			sink_text(&line, name);
		write_group_members(features, &line, leader, members);
	}
	feature_send_line(sink, FACT_EVENT_GROUPS, &line);
	return good;
}

bool feature_send_caches(struct perf_features *features, struct span bytes,
			 const struct event_sink *sink)
{
	struct sink line;
	uint32_t version;
	uint32_t count;
	bool good = true;

	(void)features;
	if (!span_u32(&bytes, &version) || version != 1 || !span_u32(&bytes, &count))
		return false;
	sink_init_memory(&line);
	for (uint32_t i = 0; i < count && !feature_line_is_full(&line); i++) {
		uint32_t level;
		struct text type;
		struct text size;
		struct text cpus;

		/* Line size, sets and ways are omitted. */
		good = span_u32(&bytes, &level) && span_skip(&bytes, 12) &&
		       feature_string(&bytes, &type) && feature_string(&bytes, &size) &&
		       feature_string(&bytes, &cpus);
		if (!good)
			break;
		sink_printf(&line, "%sL%" PRIu32 " ", i ? ", " : "", level);
		sink_text(&line, type);
		sink_char(&line, ' ');
		sink_text(&line, size);
		sink_puts(&line, " [");
		sink_text(&line, cpus);
		sink_char(&line, ']');
	}
	feature_send_line(sink, FACT_CACHES, &line);
	return good;
}

static void send_seconds(const struct event_sink *sink, enum fact name, uint64_t time_ns)
{
	char text[48];
	int length = snprintf(text, sizeof(text), "%" PRIu64 ".%06" PRIu64, time_ns / NS_PER_SECOND,
			      time_ns % NS_PER_SECOND / 1000);

	feature_send_fact(sink, name, (struct text){ text, (uint32_t)length });
}

/* perf record -B writes 0 and 0, because it does not read the samples. */
bool feature_send_sample_time(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink)
{
	uint64_t first_ns;
	uint64_t last_ns;

	if (!span_u64(&bytes, &first_ns) || !span_u64(&bytes, &last_ns))
		return false;
	/* If samples have no times, perf writes all ones. */
	if ((!first_ns && !last_ns) || first_ns == UINT64_MAX)
		return true;
	features->sample_first_ns = first_ns;
	features->sample_last_ns = last_ns;
	send_seconds(sink, FACT_SAMPLE_TIME_FIRST, first_ns);
	send_seconds(sink, FACT_SAMPLE_TIME_LAST, last_ns);
	return true;
}

/* Linux clock ids are used, because other systems number clocks differently. */
const char *feature_clock_name(uint32_t clock_id)
{
	switch (clock_id) {
	case 0:
		return "realtime";
	case 1:
		return "monotonic";
	case 4:
		return "monotonic_raw";
	case 7:
		return "boottime";
	case 11:
		return "tai";
	default:
		return NULL;
	}
}

bool feature_send_clock_data(struct perf_features *features, struct span bytes,
			     const struct event_sink *sink)
{
	uint32_t version;
	uint32_t clock_id;
	uint64_t wall_ns;
	uint64_t clock_ns;
	time_t seconds;
	struct tm utc;
	char date[64];
	struct sink line;

	if (!span_u32(&bytes, &version) || version != 1 || !span_u32(&bytes, &clock_id) ||
	    !span_u64(&bytes, &wall_ns) || !span_u64(&bytes, &clock_ns))
		return false;
	features->has_clock = true;
	features->clock_id = clock_id;
	seconds = (time_t)(wall_ns / NS_PER_SECOND);
	if (!gmtime_r(&seconds, &utc) || !strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &utc))
		return false;
	sink_init_memory(&line);
	sink_printf(&line, "%s.%06" PRIu64 " UTC = %" PRIu64 ".%06" PRIu64, date,
		    wall_ns % NS_PER_SECOND / 1000, clock_ns / NS_PER_SECOND,
		    clock_ns % NS_PER_SECOND / 1000);
	sink_puts(&line, ", by CLOCK_DATA");
	feature_send_line(sink, FACT_WALL_CLOCK, &line);
	event_send(sink, &(struct event){ .kind = EVENT_CLOCK, .clock = { wall_ns, clock_ns } });
	return true;
}

bool feature_send_compression(struct perf_features *features, struct span bytes,
			      const struct event_sink *sink)
{
	uint32_t version;
	uint32_t type;
	uint32_t level;
	uint32_t ratio;
	struct sink line;

	(void)features;
	if (!span_u32(&bytes, &version) || !span_u32(&bytes, &type) || !span_u32(&bytes, &level) ||
	    !span_u32(&bytes, &ratio))
		return false;
	sink_init_memory(&line);
	if (type == COMPRESSION_ZSTD)
		sink_puts(&line, "zstd");
	else
		sink_printf(&line, "type %" PRIu32, type);
	sink_printf(&line, ", level %" PRIu32 ", ratio %" PRIu32, level, ratio);
	feature_send_line(sink, FACT_COMPRESSION, &line);
	return true;
}
