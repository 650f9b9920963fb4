#!/usr/bin/env bash
# Runs a command, and adds a line to the file that RNG_CPU_LOG names. The line has the user and system seconds of all its
# processes, and says what they were for. Without RNG_CPU_LOG the script only runs the command.
#
#     cpu_time.sh test NAME COMMAND...     "1.520 0.080 test NAME"
#     cpu_time.sh source COMMAND...        "9.310 0.400 source LAST": the command's last word, which is what a compiler compiles
#
# cmake/cpu_time.cmake puts the script before compilers and tests; scripts/budget.py reads the lines.
kind=$1
shift
name=${!#}
if [ "$kind" = test ]; then
    name=$1
    shift
fi
[ -n "${RNG_CPU_LOG:-}" ] || exec "$@"

TIMEFORMAT="%U %S $kind ${name//%/%%}"
{ time "$@" 2>&4 4>&-; } 4>&2 2>>"$RNG_CPU_LOG"
status=$?
# The shell's own words about a signal went to the log, where budget.py skips them.
[ "$status" -le 128 ] || echo "exit code $status: ended by signal $((status - 128))" >&2
exit "$status"
