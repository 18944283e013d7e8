# SPDX-License-Identifier: MIT
# Completes kiln in bash. kiln itself knows the words; without any, bash completes file names.
_kiln() {
	local value word before i
	local -a words=()
	# Names of tracepoints have a colon, at which bash divides words.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((${#words[@]})) && [[ $word == :* || ${words[-1]} == *: ]]; then
			words[-1]+=$word
		else
			words+=("$word")
		fi
	done
	before=${words[-1]%"${words[-1]##*:}"}
	COMPREPLY=()
	while IFS=$'\t' read -r value _; do
		COMPREPLY+=("$(printf %q "${value#"$before"}")")
	done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null </dev/null)
}
complete -o default -F _kiln kiln
