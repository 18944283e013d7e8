# SPDX-License-Identifier: MIT
# perf script -F comm,tid,cpu,time,event,trace,ip,sym | off-cpu.awk: does what kiln offcpu
# --format=folded --unit ns does, as a script would do it: pairs the switches of each thread, and sums
# up the blocked time of each stack. Frames are bare symbols. If a thread is switched out without
# having been switched in, it waited until the last switch on that CPU, provided that at most one
# switch in a hundred is missing.
/sched:sched_switch:/ {
	flush()
	time = $0
	sub(/: *sched:sched_switch:.*/, "", time)
	sub(/.*[ \t]/, "", time)
	processor = $0
	sub(/\] +[0-9.]+: *sched:sched_switch:.*/, "", processor)
	sub(/.*\[/, "", processor)
	split(time, part, ".")
	now = part[1] * 1000000000 + substr(part[2] "000000000", 1, 9)
	previous = $0
	sub(/.* prev_pid=/, "", previous)
	sub(/ .*/, "", previous)
	next_tid = $0
	sub(/.* next_pid=/, "", next_tid)
	sub(/ .*/, "", next_tid)
	state = $0
	sub(/.* prev_state=/, "", state)
	sub(/ .*/, "", state)
	comm = $0
	sub(/.*prev_comm=/, "", comm)
	sub(/ prev_pid=.*/, "", comm)
	switch_count++
	missing_count += processor in came && came[processor] != previous
	if (next_tid != 0 && next_tid in began) {
		if (wanted[next_tid])
			total[stack[next_tid]] += now - began[next_tid]
		delete began[next_tid]
	}
	if (previous in began && wanted[previous] && switched[processor] > began[previous])
		supposed[stack[previous]] += switched[processor] - began[previous]
	came[processor] = next_tid
	switched[processor] = now
	is_open = 1
	frames = ""
	next
}
is_open && NF >= 2 {
	symbol = $0
	sub(/^[ \t]*[0-9a-f]+ /, "", symbol)
	frames = ";" symbol frames
}
function flush() {
	if (is_open && previous != 0 && state !~ /^[XZ]/) {
		began[previous] = now
		stack[previous] = comm frames
		wanted[previous] = state !~ /^R|\+/
	} else if (is_open)
		delete began[previous]
	is_open = 0
}
END {
	flush()
	for (one in supposed)
		total[one] += missing_count * 100 <= switch_count ? supposed[one] : 0
	for (one in total)
		printf "%s %.0f\n", one, total[one]
}
