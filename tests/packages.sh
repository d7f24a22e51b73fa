#!/bin/sh
# Run in the small systems of tests/systems.sh, as root, on what make dist and make portable packed.
# Usage: tests/packages.sh build SOURCE.tar.xz   builds Debian's packages, checks them, and runs their tests (src/packaging/debian/tests); the
#                                                binary packages are beside the tarball in the end
#        tests/packages.sh try FILE              on a bare system: from a binary package, or the portable program, to the chat and those tests
# The last line says what there is to say.
set -eu
export LC_ALL=C.UTF-8
here=$(dirname "$(realpath "$0")")
file=$(realpath "$2")
work=$(mktemp -d -p "${file%/*}") # not in memory
said='it cannot be unpacked'
trap '[ $? = 0 ] || echo "packages: $said"; rm -rf "$work"' EXIT

seconds_since() {
	echo $(($(date +%s) - $1))
}

build() {
	command -v xz >/dev/null || apt-get install -y -q --no-install-recommends xz-utils
	tar -xJf "$file" -C "$work"
	cd "$work"/weir-*
	said='the packages cannot be built'
	begin=$(date +%s)
	make deb
	took=$(seconds_since "$begin")
	said='the tarball differs when it is made here'
	cmp "build/${file##*/}" "$file"
	said='the tests of the package fail'
	apt-get install -y -q --no-install-recommends autopkgtest
	cd build/deb
	autopkgtest ./*.deb ./*.dsc -- null
	cp ./*.deb "${file%/*}"
	echo "packages: built in $took s, weir.deb has $(stat -c %s weir_*.deb) bytes, its tests pass"
}

# What is downloaded counts; a package of the system's is not there before.
try_deb() {
	said='it cannot be installed'
	begin=$(date +%s)
	apt-get install -y -q "$file"
	took=$(seconds_since "$begin")
	said='zsh does not find the completion'
	[ -s /usr/share/zsh/vendor-completions/_weir ]
}

# Only what belongs to glibc comes from the system.
try_portable() {
	command -v xz >/dev/null || apt-get install -y -q --no-install-recommends xz-utils
	begin=$(date +%s)
	tar -xJf "$file" -C "$work"
	cd "$work"/weir-*
	took=$(seconds_since "$begin")
	said='it does not run with its own libraries'
	if ldd "$PWD/weir" | sed -n 's/.* => \(.*\) (0x.*/\1/p' | grep -v -e "^$PWD/lib/" -e '/lib[cm]\.so\.6$' -e '/libresolv\.so\.2$'; then exit 1; fi
	PATH=$PWD:$PATH
	cd /
}

try() {
	case $file in
	*.deb) try_deb ;;
	*) try_portable ;;
	esac
	said='the chat does not start'
	if ! sh "$here/first_chat.sh" "weir --provider demo" >"$work/chat"; then
		cat "$work/chat"
		exit 1
	fi
	took=$((took + $(cat "$work/chat")))
	said='its tests fail'
	for name in ask replay; do sh "$here/../src/packaging/debian/tests/$name"; done
	echo "packages: chat after $took s, with $(weir --version | sed -n 2p | cut -d ' ' -f 1,2)"
}

"$1"
