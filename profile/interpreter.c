/* SPDX-License-Identifier: MIT */
#include "profile/interpreter.h"

#include "base/name_pattern.h"
#include "profile/frames.h"

const char *const interpreter_style_names[] = { "show", "hide", "merge", NULL };

/* CPython since 3.12 with -X perf */
static const char *const python_names[] = { "py::*", NULL };
static const char *const python_internals[] = {
	"_PyEval_*",
	"PyEval_EvalCode",
	"py_trampoline_evaluator",
	"_PyFunction_Vectorcall",
	"_PyObject_*[Cc]all*",
	"PyObject_*[Cc]all*",
	"_PyVectorcall_*",
	"PyVectorcall_Call",
	"method_vectorcall*",
	"vectorcall_*",
	"object_vacall",
	"slot_tp_call",
	"run_eval_code_obj",
	"run_mod",
	NULL,
};

/* V8 with --perf-basic-prof or --perf-prof; the prefix of names changed in version 10. */
static const char *const v8_names[] = {
	"JS:*",
	"Eval:*",
	"Script:*",
	"RegExp:*",
	"Function:*",
	"LazyCompile:*",
	"InterpretedFunction:*",
	NULL,
};
static const char *const v8_internals[] = {
	"Builtins_*Handler", /* handlers of one bytecode */
	"BytecodeHandler:*",
	"Builtin[s:]*InterpreterEntryTrampoline*",
	"Builtin[s:]*InterpreterPushArgs*",
	"Builtin[s:]*InterpreterEnterAt*",
	"Builtin[s:]*BaselineOrInterpreterEnter*",
	"Builtin[s:]*Call_Receiver*",
	"Builtin[s:]*CallFunction_Receiver*",
	"Builtin[s:]*JSConstructStub*",
	"Builtin[s:]*JSBuiltinsConstructStub",
	"Builtin[s:]*JSEntry*",
	"Builtin[s:]*ArgumentsAdaptorTrampoline",
	"v8::internal::(anonymous namespace)::Invoke",
	"v8::internal::Execution::Call*",
	NULL,
};

/*
 * Ruby since 3.3 with --yjit-perf: Integer#times@<internal:numeric>:231, block in
 * main@/srv/app.rb:7
 */
static const char *const ruby_names[] = { "[[]JIT] *", "*@*.rb:[0-9]*", "*@<internal:*>:[0-9]*",
					  NULL };
static const char *const ruby_internals[] = {
	"vm_exec",
	"vm_exec_core",
	"rb_vm_exec",
	"vm_call_*",
	"vm_sendish",
	"vm_yield_*",
	"vm_callee_setup*",
	"invoke_block_from_c*",
	"invoke_iseq_block*",
	"rb_vm_invoke*",
	"rb_vm_call*",
	"rb_call0",
	"rb_yield*",
	"jit_exec*",
	"rb_iseq_eval*",
	"rb_ec_exec_node",
	NULL,
};

static const struct runtime {
	const char *const *names;     /* patterns of functions that the runtime names */
	const char *const *internals; /* patterns of the interpreter's own functions */
} runtimes[] = {
	{ python_names, python_internals },
	{ v8_names, v8_internals },
	{ ruby_names, ruby_internals },
};

static bool fits_any(const char *const *globs, struct text name)
{
	for (; *globs; globs++)
		if (name_pattern_fits(&(struct name_pattern){ NAME_GLOB, text_of(*globs), NULL },
				      name))
			return true;
	return false;
}

struct interpreter_role interpreter_role_of(struct text name)
{
	struct interpreter_role role = { 0, 0 };

	for (size_t i = 0; i < ARRAY_SIZE(runtimes); i++) {
		uint8_t bit = (uint8_t)(1u << i);

		if (fits_any(runtimes[i].names, name))
			role.named_by |= bit;
		else if (fits_any(runtimes[i].internals, name))
			role.internal_to |= bit;
	}
	return role;
}

static struct interpreter_role role_of(const struct frames *frames, uint32_t frame)
{
	return frame < frames->roles.count ? frames->roles.at[frame]
					   : (struct interpreter_role){ 0, 0 };
}

uint32_t interpreter_elide(const struct frames *frames, const uint32_t *from, uint32_t count,
			   uint32_t *to)
{
	bool is_merged = frames->naming->interpreter == INTERPRETER_MERGED;
	bool follows_internal = false;
	uint8_t runtimes_seen = 0;
	uint32_t length = 0;

	for (uint32_t i = 0; i < count; i++)
		runtimes_seen |= role_of(frames, from[i]).named_by;
	for (uint32_t i = 0; i < count; i++) {
		bool is_internal = role_of(frames, from[i]).internal_to & runtimes_seen;

		if (!is_internal)
			to[length++] = from[i];
		else if (is_merged && !follows_internal)
			to[length++] = frames->merged[frames->table.rows.at[from[i]].activity];
		follows_internal = is_internal;
	}
	return length;
}
