#!/bin/sh
# Installs what the build ("build"), also the tests ("tests"), or also the analysis ("analyze"), the tests on other systems ("systems") or
# Debian's packages ("deb") need, where something is missing.
# On Debian and Ubuntu by package name; elsewhere it says what to install. Nothing is done when all is there.
set -eu
what=${1:-build}

# Certificates are of use only when it runs; a system without them cannot ask anybody over https.
build_packages="ca-certificates gcc make pkg-config libc6-dev libncurses-dev libcurl4-openssl-dev libjson-c-dev libinih-dev libunistring-dev zlib1g-dev libbrotli-dev libzstd-dev libssl-dev libsqlite3-dev libpng-dev libturbojpeg0-dev libwebp-dev libgif-dev libsixel-dev"
# Without the last five some tests are skipped: servers that tests ask over TLS and HTTP/2, shells of SQLite, of which one has .recover, and curl.
test_packages="clang libcunit1-dev libvterm-dev libmd4c-dev xz-utils openssl nghttp2-server fossil sqlite3 curl"

case $what in
deb) more_packages="build-essential debhelper lintian" more_tools="g++ dh lintian" ;;
analyze) more_packages="clang-tools cppcheck valgrind" more_tools="scan-build cppcheck valgrind" ;;
systems) more_packages="debootstrap qemu-user-static binfmt-support" more_tools="debootstrap qemu-s390x-static update-binfmts" ;;
*) more_packages='' more_tools='' ;;
esac

have_header() {
	# shellcheck disable=SC2046,SC2086
	printf '#include <%s>\n' "$1" | ${CC:-cc} ${CPPFLAGS:-} $(pkg-config --cflags ncursesw json-c 2>/dev/null) -E - >/dev/null 2>&1
}

have_certificates() {
	for file in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/cert.pem; do
		[ -n "$file" ] && [ -s "$file" ] && return 0
	done
	return 1
}

missing() {
	have_certificates || return 0
	command -v "${CC:-cc}" >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || return 0
	command -v pkg-config >/dev/null 2>&1 || return 0
	pkg-config --exists ncursesw libcurl json-c zlib libbrotlidec libzstd openssl sqlite3 libpng libturbojpeg libwebp libsixel || return 0
	for header in ini.h unigbrk.h gif_lib.h; do have_header "$header" || return 0; done
	[ "$what" != build ] || return 1
	command -v clang >/dev/null 2>&1 || return 0
	for header in CUnit/CUnit.h vterm.h md4c.h; do have_header "$header" || return 0; done
	for tool in xz $more_tools; do command -v "$tool" >/dev/null 2>&1 || return 0; done
	return 1
}

missing || exit 0

packages="$build_packages $more_packages"
[ "$what" = build ] || packages="$packages $test_packages"

if ! command -v apt-get >/dev/null 2>&1; then
	echo "weir needs these packages (their Debian names); please install them with your system's tool:" >&2
	echo "  $packages" >&2
	exit 1
fi

sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null 2>&1 || { echo "As root, run: apt-get install $packages" >&2; exit 1; }
	sudo=sudo
fi
echo "weir: installing $packages"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -q >/dev/null
# shellcheck disable=SC2086
$sudo apt-get install -y -q --no-install-recommends $packages >/dev/null
