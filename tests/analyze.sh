#!/bin/sh
# Static analysis: gcc's analyzer, clang's (scan-build) and cppcheck over the sources. Any finding fails; what is wrong is
# repaired, what is not is told to the analyzer where it stands (an assert, or `cppcheck-suppress` with its reason).
# Usage: tests/analyze.sh BUILD MAKE...
set -u
build=$1
shift
failed=0

run() { # name, command...
	name=$1
	shift
	if "$@" >"$build/$name.log" 2>&1; then
		echo "  $name: nothing found"
	else
		cat "$build/$name.log"
		echo "  $name: FAILED"
		failed=1
	fi
}

mkdir -p "$build"
run gcc-analyzer "$@" -k WERROR=1 BUILD="$build/gcc" CC=gcc CFLAGS='-O1 -g -fanalyzer' all
run scan-build scan-build --status-bugs -o "$build/reports" "$@" -k BUILD="$build/clang" CFLAGS='-O1 -g' all
run cppcheck cppcheck --enable=warning,performance,portability --inline-suppr --suppressions-list=tests/cppcheck.txt --quiet \
	--error-exitcode=1 --std=c11 -D_GNU_SOURCE -Iinclude src
exit $failed
