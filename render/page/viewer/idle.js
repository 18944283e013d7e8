/* SPDX-License-Identifier: MIT */
/*
 * Which stacks are idle: CPUs in the idle loop, and kernel threads that wait for work. Such threads can fill half of an
 * off-CPU graph.
 *
 *     swapper ── do_idle ── ...                                       a CPU without work
 *     kworker ── kthread ── worker_thread ── schedule                 a worker without work
 *     kworker ── kthread ── worker_thread ── process_one_work ── ...  at work: not idle
 */

/* kernel/sched/idle.c, arch/x86/xen; everything that they call is idle, too. */
const IDLE_LOOPS = new Set(["do_idle", "cpu_startup_entry", "cpu_idle", "cpu_idle_loop", "default_idle", "arch_cpu_idle",
  "xen_hypercall_sched_op", "intel_idle", "acpi_idle_enter", "poll_idle", "swapper"]);

/* The main loops of kernel threads, which are idle where they call the scheduler. */
const WORKER_LOOPS = new Set(["worker_thread", "rescuer_thread", "smpboot_thread_fn", "kthread_worker_fn", "kthreadd",
  "kswapd", "kcompactd", "khugepaged", "ksm_scan_thread", "oom_reaper", "kauditd_thread", "kjournald2", "rcu_gp_kthread",
  "rcu_nocb_gp_kthread", "rcu_nocb_cb_kthread", "rcu_tasks_kthread", "watchdog", "hub_thread", "irq_thread",
  "migration_cpu_stop", "devtmpfsd", "ext4_lazyinit_thread", "io_wq_worker", "loop_thread", "xfsaild", "kmmpd"]);

const WAITS = /^(schedule|schedule_timeout|schedule_timeout_idle|schedule_timeout_interruptible|kthread_parkme|rcu_gp_fqs_loop|wait_woken|io_schedule|__schedule)$/;

/** The name of a frame without annotation, offset and compiler suffixes. */
function plainName(name) {
  return name.replace(/_\[[kwij]\]$/, "").replace(/\+0x[0-9a-f]+$/, "").replace(/\.(isra|constprop|part|cold)(\.\d+)?/g, "");
}

/** By row: 1 if the row or a row above it is idle. @param {Tree} tree @param {Frames} frames */
function idleRows(tree, frames) {
  const names = frames.name.map(plainName);
  const isLoop = names.map((name) => IDLE_LOOPS.has(name.replace(/[/:-].*/, "")));
  const isWorker = names.map((name) => WORKER_LOOPS.has(name)), isWait = names.map((name) => WAITS.test(name));
  const idle = new Uint8Array(tree.frame.length);
  for (let row = 1; row < idle.length; row++) {
    const frame = tree.frame[row], above = tree.frame[tree.parent[row]];
    idle[row] = Number(idle[tree.parent[row]] || isLoop[frame] || (above >= 0 && isWorker[above] && isWait[frame]));
  }
  return idle;
}
