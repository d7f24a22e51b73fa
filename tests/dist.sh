#!/bin/sh
# Packs the source, unpacks it elsewhere and builds it there at another time: tarball and program have to be the same byte by byte. Installs that
# program, and removes it again. Usage: tests/dist.sh BUILD WEIR TARBALL MAKE...
set -eu
export LC_ALL=C
build=$1 weir=$(realpath "$2") tarball=$(realpath "$3")
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
elsewhere="$work/another folder"

fail() {
	echo "dist: $*"
	exit 1
}

mkdir "$elsewhere"
(umask 077 && tar -xJf "$tarball" -C "$elsewhere")
cd "$elsewhere"/weir-*
find . -type f -exec touch {} +
TZ=Asia/Tokyo "$@" --no-print-directory BUILD="$build" dist >/dev/null
cmp "$tarball" "$build/${tarball##*/}" || fail "the tarball differs when it is made again"
for file in src/man/weir.1 src/CHANGES.md LICENSE README.md; do
	[ -s "$file" ] || fail "the tarball lacks $file"
done

CCACHE_DISABLE=1 "$@" --no-print-directory BUILD="$build" all >"$work/log" 2>&1 || { cat "$work/log"; fail "it cannot be built"; }
cmp "$weir" "$build/weir" || fail "the program differs when it is built again (with other flags? make clean)"

# As where install has no -D, and where the linker has none of GNU's options.
mkdir "$work/bin"
printf '#!/bin/sh\ncase $1 in -d | -m[0-7]*) exec "%s" "$@" ;; esac\necho "not POSIX: install $1"; exit 1\n' "$(command -v install)" >"$work/bin/install"
chmod +x "$work/bin/install"
! "$@" -n MACHINE=arm64-apple-darwin23 BUILD="$work/macos" all | grep -e -Wl, || fail "the linker of macOS is given what it does not know"
PATH=$work/bin:$PATH "$@" --no-print-directory BUILD="$build" DESTDIR="$work/root" PREFIX=/usr install >"$work/log" 2>&1 || { cat "$work/log"; fail "it cannot be installed"; }
cd "$work/root/usr/share"
for page in weir.1 weir-ask.1 weir.conf.5; do
	[ -s "man/man${page##*.}/$page" ] || fail "the page $page is not installed"
done
[ -s icons/hicolor/scalable/apps/weir.svg ] || fail "the icon is not installed"
if command -v desktop-file-validate >/dev/null; then
	desktop-file-validate applications/weir.desktop || fail "desktop-file-validate"
else
	echo "dist: skipped: desktop-file-validate is not installed"
fi
# It asks nothing of a network. weir has no home page, which newer versions call an error.
if command -v appstreamcli >/dev/null; then
	! appstreamcli validate --no-net metainfo/*.xml | grep '^ *[EW]:' | grep -v url-homepage-missing || fail "appstreamcli validate"
else
	echo "dist: skipped: appstreamcli is not installed"
fi
cd "$elsewhere"/weir-*
"$@" --no-print-directory BUILD="$build" DESTDIR="$work/root" PREFIX=/usr uninstall >/dev/null
[ -z "$(find "$work/root" -type f)" ] || fail "uninstall leaves: $(find "$work/root" -type f)"
echo "dist: packed twice and built twice, tarball and program are the same; what is installed is removed"
