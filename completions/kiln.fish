# SPDX-License-Identifier: MIT
# Completes kiln in fish. kiln itself knows the words; without any, fish completes file names.
function __kiln_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l values ($words[1] complete -- $words[2..] "$current" 2>/dev/null </dev/null)
    if test (count $values) -gt 0
        printf '%s\n' $values
    else
        __fish_complete_path "$current"
    end
end
complete -c kiln -f -a '(__kiln_complete)'
