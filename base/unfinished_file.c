/* SPDX-License-Identifier: MIT */
#include "base/unfinished_file.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/attributes.h"

/*
 * Enough for an output, its palette map, and a file of the symbol cache for each of a few threads.
 */
#define FILES_MAX 16

enum slot_state {
	SLOT_FREE,
	SLOT_IN_USE, /* only the thread that set this state may use the path */
	SLOT_LISTED,
};

struct slot {
	_Atomic(enum slot_state) state;
	pid_t owner;
	char path[PATH_MAX];
};

/*
 * The list is global, because a signal handler does not get an argument. The size of the list is
 * fixed, because the handler may interrupt an allocation. The handler and other threads claim a
 * slot by its state before they access the path.
 */
static struct slot slots[FILES_MAX];
static atomic_flag has_handlers = ATOMIC_FLAG_INIT;

static bool take(struct slot *slot, enum slot_state from)
{
	return atomic_compare_exchange_strong(&slot->state, &from, SLOT_IN_USE);
}

void unfinished_files_remove(void)
{
	/* A child process inherits its parent's list, and must not remove the parent's files. */
	pid_t self = getpid();

	for (size_t i = 0; i < FILES_MAX; i++)
		if (take(&slots[i], SLOT_LISTED) && slots[i].owner == self)
			unlink(slots[i].path);
}

/*
 * Removes the files, and raises the signal again, so that the parent process sees which signal
 * ended the program.
 */
static void on_signal(int number)
{
	unfinished_files_remove();
	signal(number, SIG_DFL);
	raise(number);
}

/* Handles signals that end the program, except ignored ones, such as HUP under nohup. */
static void set_handlers(void)
{
	static const int numbers[] = {
		SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ,
	};
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction old;

	if (atomic_flag_test_and_set(&has_handlers))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (sigaction(numbers[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
		    old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
}

unsigned unfinished_file_add(const char *path)
{
	size_t size_bytes = strlen(path) + 1;

	set_handlers();
	for (unsigned i = 0; i < FILES_MAX && size_bytes <= sizeof(slots[i].path); i++) {
		if (!take(&slots[i], SLOT_FREE))
			continue;
		slots[i].owner = getpid();
		memcpy(slots[i].path, path, size_bytes);
		atomic_store(&slots[i].state, SLOT_LISTED);
		return i + 1;
	}
	return 0;
}

void unfinished_file_forget(unsigned number)
{
	if (number && take(&slots[number - 1], SLOT_LISTED))
		atomic_store(&slots[number - 1].state, SLOT_FREE);
}
