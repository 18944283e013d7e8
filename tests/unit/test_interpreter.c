/* SPDX-License-Identifier: MIT */
#include "profile/interpreter.h"

#include <criterion/criterion.h>

#include "profile/frames.h"
#include "tests/support/leaks.h"
#include "tests/support/profile_maker.h"

/* Runtimes, a bit each. */
enum {
	PYTHON = 1,
	V8 = 2,
	RUBY = 4
};

Test(interpreter, roles)
{
	static const struct {
		const char *name;
		uint8_t named_by, internal_to;
	} rows[] = {
		{ "py::parse:/srv/app.py", PYTHON, 0 },
		{ "_PyEval_EvalFrameDefault", 0, PYTHON },
		{ "_PyEval_Vector", 0, PYTHON },
		{ "py_trampoline_evaluator", 0, PYTHON },
		{ "_PyFunction_Vectorcall", 0, PYTHON },
		{ "PyObject_Vectorcall", 0, PYTHON },
		{ "_PyObject_MakeTpCall", 0, PYTHON },
		{ "PyObject_CallMethodObjArgs", 0, PYTHON },
		/* Frames of the program itself are not the interpreter's. */
		{ "PyObject_GetAttr", 0, 0 },
		{ "PyObject_RichCompare", 0, 0 },
		{ "PyNumber_Add", 0, 0 },
		{ "JS:~ /srv/main.js:1:1", V8, 0 },
		{ "LazyCompile:*total /srv/cart.js:12:9", V8, 0 },
		{ "InterpretedFunction:total", V8, 0 },
		{ "Function:~total", V8, 0 },
		{ "JS:wasm-function[123]-0-turbofan", V8, 0 },
		{ "Builtins_InterpreterEntryTrampoline", 0, V8 },
		{ "Builtin:InterpreterEntryTrampoline", 0, V8 },
		{ "Builtins_LdaGlobalHandler", 0, V8 },
		{ "BytecodeHandler:CallProperty1.Wide", 0, V8 },
		{ "Builtins_Call_ReceiverIsAny", 0, V8 },
		{ "v8::internal::(anonymous namespace)::Invoke", 0, V8 },
		{ "v8::internal::GlobalHandles::PendingPhantomCallback::Invoke", 0, 0 },
		{ "Builtins_RegExpPrototypeExec", 0, 0 },
		{ "Builtins_ArrayMap", 0, 0 },
		{ "Builtins_PromiseConstructor", 0, 0 },
		{ "block in Cart#total@/srv/cart.rb:7", RUBY, 0 },
		{ "Integer#times@<internal:numeric>:231", RUBY, 0 },
		{ "[JIT] gen_send", RUBY, 0 },
		{ "vm_exec_core", 0, RUBY },
		{ "rb_vm_exec", 0, RUBY },
		{ "vm_call_iseq_setup", 0, RUBY },
		{ "rb_str_concat", 0, 0 },
		{ "memcpy@plt", 0, 0 },
		{ "main", 0, 0 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct interpreter_role role = interpreter_role_of(text_of(rows[i].name));

		cr_expect_eq(role.named_by, rows[i].named_by, "%s", rows[i].name);
		cr_expect_eq(role.internal_to, rows[i].internal_to, "%s", rows[i].name);
	}
}

/*
 * One frame for each letter: P is a Python function, and p the interpreter itself; J and j are the
 * same for V8; m belongs to neither.
 */
static const struct {
	char letter;
	const char *name;
} letters[] = {
	{ 'P', "py::main:/srv/app.py" },
	{ 'p', "_PyEval_EvalFrameDefault" },
	{ 'J', "JS:*total /srv/cart.js:1" },
	{ 'j', "Builtins_InterpreterEntryTrampoline" },
	{ 'm', "main" },
};

struct scene {
	struct profile_maker maker;
	struct frame_naming naming;
	struct frames frames;
	uint32_t by_letter[128];
};

static void begin(struct scene *scene, enum interpreter_style style)
{
	scene->naming = (struct frame_naming){ .interpreter = style, .has_dsos = true };
	profile_maker_init(&scene->maker);
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++) {
		module_id module = profile_maker_module(&scene->maker, MODULE_FILE, "x.so");
		location_id id = locations_intern(&scene->maker.locations, module, i, false);

		scene->maker.locations.rows.at[id.i].is_named = true;
		scene->maker.locations.rows.at[id.i].name =
			strings_intern_text(scene->maker.profile.strings, letters[i].name);
	}
	frames_init(&scene->frames, scene->maker.profile.strings, scene->maker.profile.modules,
		    &scene->maker.locations, &scene->naming);
	for (uint32_t i = 0; i < ARRAY_SIZE(letters); i++) {
		struct frame_run run =
			frames_of_location(&scene->frames, (location_id){ i },
					   (struct frame_variant){ .is_java = false });

		scene->by_letter[(unsigned char)letters[i].letter] =
			scene->frames.in_runs.at[run.first];
	}
}

static void check(struct scene *scene, const char *stack, const char *expected)
{
	uint32_t frames[32];
	char got[32] = "";
	uint32_t count = (uint32_t)strlen(stack);

	for (uint32_t i = 0; i < count; i++)
		frames[i] = scene->by_letter[(unsigned char)stack[i]];
	count = interpreter_elide(&scene->frames, frames, count, frames);
	for (uint32_t i = 0; i < count; i++) {
		got[i] = '*';
		for (size_t k = 0; k < ARRAY_SIZE(letters); k++)
			if (scene->by_letter[(unsigned char)letters[k].letter] == frames[i])
				got[i] = letters[k].letter;
	}
	cr_expect_str_eq(got, expected, "%s: is %s, not %s", stack, got, expected);
}

Test(interpreter, stacks)
{
	static const struct {
		const char *stack, *hidden, *merged;
	} rows[] = {
		{ "", "", "" },
		{ "m", "m", "m" },
		/* Without a function of the runtime, nothing more is known. */
		{ "mppp", "mppp", "mppp" },
		{ "mpppPppPp", "mPP", "m*P*P*" },
		{ "mPpm", "mPm", "mP*m" },
		{ "Ppmp", "Pm", "P*m*" },
		/* Each runtime's own. */
		{ "mpJjp", "mpJp", "mpJ*p" },
		{ "PpJjp", "PJ", "P*J*" },
		{ "pjPJ", "PJ", "*PJ" },
	};
	struct scene hidden, merged;

	begin(&hidden, INTERPRETER_HIDDEN);
	begin(&merged, INTERPRETER_MERGED);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		check(&hidden, rows[i].stack, rows[i].hidden);
		check(&merged, rows[i].stack, rows[i].merged);
	}
	cr_expect_str_eq(strings_text(merged.frames.strings,
				      merged.frames.table.rows.at[merged.frames.merged[0]].name),
			 "[interpreter]");
	frames_deinit(&hidden.frames);
	frames_deinit(&merged.frames);
	profile_maker_deinit(&hidden.maker);
	profile_maker_deinit(&merged.maker);
	assert_no_leaks();
}
