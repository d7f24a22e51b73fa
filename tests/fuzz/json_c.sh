#!/bin/sh
# Builds json-c from its Debian source package with the fuzzers' flags, because the packaged library is not instrumented:
# json_c.sh FOLDER CC FLAGS creates FOLDER/libjson-c.a. It reads the system's package lists and does not change them.
set -eu
folder=$1
compiler=$2
flags=$3

for tool in apt-get dpkg-source cmake; do
	command -v $tool >/dev/null 2>&1 || { echo "json-c's source package needs $tool (apt-get install dpkg-dev cmake)" >&2; exit 1; }
done
mkdir -p "$folder/sources" "$folder/lists/partial"
cd "$folder"
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
	[ -f "$list" ] && sed -e 's/^deb /deb-src /' -e 's/^Types: deb$/Types: deb-src/' "$list" >"sources/$(basename "$list")"
done
apt() { apt-get -q -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$PWD/sources" -o Dir::State::Lists="$PWD/lists" "$@"; }
apt update >log 2>&1 && apt source --download-only json-c >>log 2>&1 || { tail log >&2; exit 1; }
rm -rf source build
dpkg-source --no-check -x json-c_*.dsc source >>log 2>&1
cmake -S source -B build -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF \
	-DDISABLE_WERROR=ON >>log 2>&1 && cmake --build build --target json-c >>log 2>&1 || { tail log >&2; exit 1; }
mv build/libjson-c.a .
