/* SPDX-License-Identifier: MIT */
#include "session/unwinding.h"

#include <pthread.h>

#include "symbolise/elf/code_files.h"
#include "unwind/image.h"
#include "unwind/unwinder.h"

struct unwinding {
	const struct process_state *state;
	const struct profile *profile;
	struct text arch;
	struct symbolise_options options;
	struct code_files files;
	size_t module_count;   /* at creation; modules that pairing adds later contain no code */
	pthread_mutex_t lock;  /* protects all fields below */
	struct image **images; /* by module; NULL if none */
	bool *are_looked_for;  /* by module: whether its image has been searched for */
};

/* A worker's cache of a module. */
struct known_image {
	bool is_known;
	const struct image *image; /* NULL if none */
};

struct unwinding_worker {
	struct unwinding *unwinding;
	struct unwinder unwinder;
	struct known_image *images; /* by module */
	/* The process state of the last sample; the next sample usually has the same state. */
	const struct machine *machine;
	uint64_t abi, register_mask;
};

bool unwinding_is_needed(const struct profile *profile)
{
	for (size_t i = 0; i < profile->events.count; i++)
		if (profile->events.at[i].sample_type & SAMPLE_HAS_USER_STACK)
			return true;
	return false;
}

struct unwinding *unwinding_create(const struct process_state *state, const struct profile *profile,
				   const struct symbolise_options *options)
{
	struct unwinding *unwinding = memory_alloc(1, sizeof(*unwinding));
	size_t module_count = state->modules->rows.count;

	*unwinding = (struct unwinding){
		.state = state,
		.profile = profile,
		.arch = profile->facts[FACT_ARCH],
		.options = *options,
		.module_count = module_count,
		.images = memory_zalloc(module_count, sizeof(*unwinding->images)),
		.are_looked_for = memory_zalloc(module_count, sizeof(*unwinding->are_looked_for)),
	};
	code_files_init(&unwinding->files, state->modules, state->strings, &unwinding->options);
	pthread_mutex_init(&unwinding->lock, NULL);
	return unwinding;
}

void unwinding_destroy(struct unwinding *unwinding)
{
	if (!unwinding)
		return;
	for (size_t i = 0; i < unwinding->module_count; i++) {
		if (!unwinding->images[i])
			continue;
		image_deinit(unwinding->images[i]);
		memory_free(unwinding->images[i]);
	}
	memory_free(unwinding->images);
	memory_free(unwinding->are_looked_for);
	code_files_deinit(&unwinding->files);
	pthread_mutex_destroy(&unwinding->lock);
	memory_free(unwinding);
}

static void make_image(void *context, const struct code_file *file)
{
	struct image **image = context;

	*image = memory_alloc(1, sizeof(**image));
	image_init(*image, file->runtime, file->debug);
}

static const struct image *shared_image(struct unwinding *unwinding, module_id module)
{
	struct image **image = &unwinding->images[module.i];

	pthread_mutex_lock(&unwinding->lock);
	if (!unwinding->are_looked_for[module.i]) {
		unwinding->are_looked_for[module.i] = true;
		if (!code_files_open(&unwinding->files, module, make_image, image))
			*image = NULL;
	}
	pthread_mutex_unlock(&unwinding->lock);
	return *image;
}

static const struct image *image_of(struct unwinding_worker *worker, module_id module)
{
	struct known_image *known = &worker->images[module.i];

	if (!known->is_known) {
		known->is_known = true;
		known->image = shared_image(worker->unwinding, module);
	}
	return known->image;
}

static enum code_kind find_code(void *context, uint32_t space, uint64_t address,
				struct code_location *ret)
{
	struct unwinding_worker *worker = context;
	const struct process_state *state = worker->unwinding->state;
	const struct mapping *mapping =
		address_spaces_find(&state->history.spaces, (space_id){ space }, address);
	enum module_kind kind;

	if (!mapping)
		return CODE_NONE;
	kind = modules_get(state->modules, mapping->module)->kind;
	ret->is_vdso = kind == MODULE_VDSO;
	if (kind != MODULE_FILE && kind != MODULE_VDSO)
		return CODE_NO_CFI;
	ret->number = mapping->module.i;
	ret->image = image_of(worker, mapping->module);
	if (!ret->image)
		return CODE_NO_FILE;
	return image_address(ret->image, address - mapping->start + mapping->file_offset,
			     &ret->address)
		       ? CODE_IMAGE
		       : CODE_NO_CFI;
}

struct unwinding_worker *unwinding_worker_create(struct unwinding *unwinding)
{
	struct unwinding_worker *worker;
	struct code code;

	if (!unwinding)
		return NULL;
	worker = memory_zalloc(1, sizeof(*worker));
	code = (struct code){ .context = worker, .find = find_code };
	worker->unwinding = unwinding;
	worker->images = memory_zalloc(unwinding->module_count, sizeof(*worker->images));
	unwinder_init(&worker->unwinder, &code, unwinding->options.perf_names);
	return worker;
}

void unwinding_worker_destroy(struct unwinding_worker *worker)
{
	if (!worker)
		return;
	unwinder_deinit(&worker->unwinder);
	memory_free(worker->images);
	memory_free(worker);
}

static const struct machine *machine_of(struct unwinding_worker *worker, uint64_t abi,
					uint64_t register_mask)
{
	if (!worker->machine || worker->abi != abi || worker->register_mask != register_mask) {
		worker->machine = machine_find(worker->unwinding->arch, abi, register_mask);
		worker->abi = abi;
		worker->register_mask = register_mask;
	}
	return worker->machine;
}

static void read_sample(struct unwinding_worker *worker, const struct event_sample *sample,
			const struct callchain_key *key, struct unwind_sample *ret)
{
	const struct profile *profile = worker->unwinding->profile;
	const struct profile_event *event = &profile->events.at[sample->attr];
	struct span registers = sample->user_registers;
	size_t stack_bytes = span_left(&sample->user_stack);
	uint64_t abi = 0;

	(void)span_u64(&registers, &abi);
	*ret = (struct unwind_sample){
		.machine = machine_of(worker, abi, event->user_register_mask),
		.space = key->space.i,
		.register_mask = event->user_register_mask,
		.register_words = registers,
		.stack = sample->user_stack,
		/* The kernel copies less than requested only at the end of the stack. */
		.is_whole = sample->user_stack_used_bytes < stack_bytes,
	};
	if (stack_bytes)
		ret->stack.end = ret->stack.at + sample->user_stack_used_bytes;
}

static enum stack_end unwind(void *context, const struct event_sample *sample,
			     const struct callchain_key *key, uint32_t address_max,
			     struct callchain_buffer *chain)
{
	static const enum stack_end ends[] = {
		[UNWIND_COMPLETE] = STACK_COMPLETE,
		[UNWIND_TRUNCATED] = STACK_TRUNCATED,
		[UNWIND_LOST] = STACK_LOST,
		[UNWIND_NO_FILE] = STACK_NO_FILE,
		[UNWIND_NO_REGISTERS] = STACK_NO_REGISTERS,
	};
	struct unwinding_worker *worker = context;
	struct unwind_sample recorded;
	struct unwind_frames frames;
	enum unwind_end end;

	read_sample(worker, sample, key, &recorded);
	recorded.frame_max = address_max;
	vec_reserve(chain, chain->count + LIMIT_UNWIND_FRAMES + 1);
	/* Leave space for the marker after the innermost address. */
	frames.at = chain->at + chain->count + 1;
	end = unwinder_walk(&worker->unwinder, &recorded, &frames);
	if (!frames.count)
		return ends[end];
	chain->at[chain->count] = frames.at[0];
	frames.at[0] = CALLCHAIN_EXACT;
	chain->count += frames.count + (frames.count > 1);
	return ends[end];
}

struct ingest_unwinder unwinding_hook(struct unwinding_worker *worker)
{
	return (struct ingest_unwinder){ .context = worker, .unwind = worker ? unwind : NULL };
}
