#!/bin/bash -eu
# SPDX-License-Identifier: MIT
# Builds each fuzz target with the compiler and the flags of OSS-Fuzz, and puts it into $OUT with its seeds and the
# libraries that it loads.
set -o pipefail
cd "$SRC/kiln"
objects=$WORK/kiln
mkdir -p "$OUT/lib"
for source in tests/fuzz/fuzz_*.c; do
	target=$(basename "$source" .c)
	# The flags select a sanitizer; _FORTIFY_SOURCE would hide errors from it.
	make -j"$(nproc)" B="$objects" CC="$CC" CFLAGS="$CFLAGS" CPPFLAGS='-U_FORTIFY_SOURCE' \
		FUZZ_ENGINE="$LIB_FUZZING_ENGINE -lc++" "$objects/$target"
	cp "$objects/$target" "$OUT/"
	[ ! -f "tests/fuzz/$target.options" ] || cp "tests/fuzz/$target.options" "$OUT/"
	# Targets run in an image without the libraries.
	ldd "$OUT/$target" | awk '$3 ~ /^\// && $1 !~ /^lib(c|m|dl|pthread|rt|resolv)\.so/ { print $3 }' |
		xargs -r cp -t "$OUT/lib"
	# shellcheck disable=SC2016 # for the loader, not for the shell
	patchelf --set-rpath '$ORIGIN/lib' "$OUT/$target"
	seeds=$(tests/fuzz/seeds "${target#fuzz_}")
	[ -z "$seeds" ] || zip -q -@ "$OUT/${target}_seed_corpus.zip" <<<"$seeds"
done
