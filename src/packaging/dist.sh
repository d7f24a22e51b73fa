#!/bin/sh
# Packs the source: the same bytes wherever and whenever it is done. Usage: src/packaging/dist.sh VERSION OUT.tar.xz
# The time of all files is $SOURCE_DATE_EPOCH, else that of the last commit. A tarball has no commits, so it carries a manifest: the time, then
# the files; it packs itself again by that. Bytes of the other formats differ between versions of tar.
set -eu
export LC_ALL=C
version=$1 out=$2
manifest=src/packaging/manifest
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/src/packaging" "$(dirname "$out")"

if [ -e .git ]; then
	time=$(git log -1 --format=%ct)
	git -c core.quotePath=false ls-files | sort >"$work/files"
elif [ -f $manifest ]; then
	time=$(sed 1q $manifest)
	sed 1d $manifest >"$work/files"
else
	echo "weir: make dist needs a clone or an unpacked tarball" >&2
	exit 1
fi
time=${SOURCE_DATE_EPOCH:-$time}
{ echo "$time" && cat "$work/files"; } >"$work/$manifest"
tar -cf "$work/tar" --format=gnu --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$time" --no-recursion \
	--transform="flags=r;s,^,weir-$version/," --files-from="$work/files" -C "$work" $manifest
xz -9 -T1 <"$work/tar" >"$out.new" # threads would divide it into blocks
mv "$out.new" "$out"
echo "$out: $(wc -c <"$out") bytes, $(sha256sum <"$out" | cut -c 1-64)"
