#!/bin/sh
# Tries in one of the small systems of tests/systems.sh, as root, what make dist and make portable packed: builds Debian's packages, checks and
# installs them, and runs their tests (src/packaging/debian/tests) with the installed program, and with the portable one.
# Usage: tests/packages.sh SOURCE.tar.xz PORTABLE.tar.xz. The binary packages are beside these in the end. The last line says what there is to say.
set -eu
export LC_ALL=C.UTF-8
tests=$(dirname "$(realpath "$0")")/../src/packaging/debian/tests
source=$(realpath "$1") portable=$(realpath "$2")
work=$(mktemp -d -p "${source%/*}") # not in memory
said='the packages cannot be built'
trap '[ $? = 0 ] || echo "packages: $said"; rm -rf "$work"' EXIT

tar -xJf "$source" -C "$work"
cd "$work"/weir-*
make deb
said='the tarball differs when it is made here'
cmp "build/${source##*/}" "$source"
said='they cannot be installed, or their tests fail'
apt-get install -y -q --no-install-recommends autopkgtest
cd build/deb
autopkgtest ./*.deb ./*.dsc -- null
size=$(stat -c %s weir_*.deb)
cp ./*.deb "${source%/*}"
apt-get purge -y -q weir

# Only what belongs to glibc comes from the system.
said='the portable program does not run with its own libraries'
mkdir "$work/portable"
tar -xJf "$portable" -C "$work/portable"
cd "$work"/portable/weir-*
if ldd "$PWD/weir" | sed -n 's/.* => \(.*\) (0x.*/\1/p' | grep -v -e "^$PWD/lib/" -e '/lib[cm]\.so\.6$' -e '/libresolv\.so\.2$'; then exit 1; fi
PATH=$PWD:$PATH
for name in ask replay; do sh "$tests/$name"; done
cd /
echo "packages: weir.deb has $size bytes; its tests pass, also with the portable program, which runs with $(weir --version | sed -n 2p)"
