/* SPDX-License-Identifier: MIT */
#include "offcpu/wait_reason.h"

#include "base/memory.h"

/*
 * Beginnings of kernel function names, of Linux 3.x to 6.18. Functions that all waits share, such
 * as schedule, are not listed. The first row that matches is used.
 */
static const struct reason {
	const char *begin, *reason;
} reasons[] = {
	{ "futex_", "futex lock" },
	{ "__futex_", "futex lock" },
	{ "do_futex", "futex lock" },
	{ "rwsem_", "kernel lock" },
	{ "__down", "kernel lock" },
	{ "down_", "kernel lock" },
	{ "__mutex_lock", "kernel lock" },
	{ "mutex_lock", "kernel lock" },
	{ "rt_mutex_", "kernel lock" },
	{ "__rt_mutex_", "kernel lock" },
	{ "percpu_down", "kernel lock" },
	{ "percpu_rwsem", "kernel lock" },
	{ "locks_lock_", "file lock" },
	{ "flock_lock_", "file lock" },
	{ "io_schedule", "disk" },
	{ "folio_wait_", "disk" },
	{ "wait_on_page_", "disk" },
	{ "wait_on_buffer", "disk" },
	{ "__wait_on_buffer", "disk" },
	{ "bit_wait_io", "disk" },
	{ "submit_bio_wait", "disk" },
	{ "blk_", "disk" },
	{ "blkdev_", "disk" },
	{ "rq_qos_wait", "disk" },
	{ "jbd2_log_wait", "disk" },
	{ "jbd2_complete_transaction", "disk" },
	{ "wait_transaction_locked", "disk" },
	{ "balance_dirty_pages", "disk" },
	{ "ep_poll", "poll" },
	{ "do_epoll_wait", "poll" },
	{ "do_select", "poll" },
	{ "do_poll", "poll" },
	{ "do_sys_poll", "poll" },
	{ "poll_schedule_timeout", "poll" },
	{ "io_cqring_wait", "io_uring" },
	{ "read_events", "asynchronous I/O" },
	{ "pipe_", "pipe" },
	{ "anon_pipe_", "pipe" },
	{ "wait_for_partner", "pipe" },
	{ "eventfd_read", "eventfd" },
	{ "__skb_wait_for", "network" },
	{ "__skb_recv_", "network" },
	{ "sk_wait_", "network" },
	{ "sk_stream_wait", "network" },
	{ "tcp_", "network" },
	{ "inet_", "network" },
	{ "unix_", "network" },
	{ "sock_", "network" },
	{ "netlink_", "network" },
	{ "hrtimer_nanosleep", "sleep" },
	{ "do_nanosleep", "sleep" },
	{ "common_nsleep", "sleep" },
	{ "msleep", "sleep" },
	{ "usleep_range", "sleep" },
	{ "do_wait", "child process" },
	{ "kernel_wait", "child process" },
	{ "wait_for_vfork_done", "child process" },
	{ "do_sigtimedwait", "signal" },
	{ "sigsuspend", "signal" },
	{ "signalfd_", "signal" },
	{ "do_signal_stop", "stopped" },
	{ "ptrace_stop", "stopped" },
	{ "n_tty_read", "terminal" },
	{ "tty_", "terminal" },
	{ "filemap_fault", "page fault" },
	{ "do_swap_page", "page fault" },
	{ "handle_mm_fault", "page fault" },
	{ "do_exit", "exit" },
	{ "worker_thread", "idle kernel thread" },
	{ "rescuer_thread", "idle kernel thread" },
	{ "smpboot_thread_fn", "idle kernel thread" },
	{ "rcu_gp_fqs_loop", "idle kernel thread" },
	{ "rcu_gp_kthread", "idle kernel thread" },
	{ "kswapd", "idle kernel thread" },
	{ "kcompactd", "idle kernel thread" },
	{ "kjournald2", "idle kernel thread" },
	{ "kthread", "idle kernel thread" },
};

const char *wait_reason_of(struct text function)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (text_has_prefix(function, reasons[i].begin))
			return reasons[i].reason;
	return NULL;
}

struct text wait_reason_call(struct text function)
{
	static const char *const begins[] = {
		"__x64_sys_", "__arm64_sys_", "__ia32_sys_",  "__se_sys_",
		"__do_sys_",  "__s390x_sys_", "__riscv_sys_", "sys_",
	};

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++) {
		uint32_t length = (uint32_t)strlen(begins[i]);

		if (text_has_prefix(function, begins[i]) && function.length > length)
			return (struct text){ function.at + length, function.length - length };
	}
	return text_of("");
}
