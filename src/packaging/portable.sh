#!/bin/sh
# Packs the program with its libraries, for any Linux with a glibc that is not older than this machine's. Usage: src/packaging/portable.sh NAME
# PROGRAM OUT.tar.xz. PROGRAM looks for libraries in "lib" beside it first. The C library and the terminal's data are not packed. Licences come
# from the packages that the libraries belong to.
set -eu
export LC_ALL=C
name=$1 program=$2 out=$3
command -v dpkg-query >/dev/null || { echo "weir: make portable needs dpkg, which knows the licences of libraries" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/lib" "$folder/licences"
strip -o "$folder/weir" "$program"
cp LICENSE README.md SECURITY.md src/CHANGES.md "$folder"

# A library that glibc has is on each of those systems, and has to be that system's.
ldd "$program" | sed -n 's/.* => \(.*\) (0x.*/\1/p' | sort | while read -r library; do
	real=$(realpath "$library")
	package=$(dpkg-query -S "$real" "$library" 2>/dev/null | sed -n '1s/:.*//p')
	case $package in
	libc6) continue ;;
	'') echo "weir: no package has $library" >&2; exit 1 ;;
	esac
	cp "$real" "$folder/lib/${library##*/}"
	cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"
	# shellcheck disable=SC2016
	dpkg-query -W -f '${Package} ${Version}, source: ${source:Package} ${source:Version}\n' "$package" >>"$work/packages"
done
texts=$(grep -oh '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$folder"/licences/* | sort -u)
mkdir "$folder/licences/common"
# shellcheck disable=SC2086
cp $texts "$folder/licences/common"
{
	cat <<-END
		./weir runs from here, and from links to it. It has its man pages with it: ./weir help.

		It reads the system's certificates in /etc/ssl/certs; where they are elsewhere, name their file in SSL_CERT_FILE. Descriptions of terminals
		are the system's; where they are in a folder of their own, name it in TERMINFO_DIRS.

		The libraries in lib are those of $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), from the packages below. Their licences are in licences, and
		/usr/share/common-licenses is licences/common there; that distribution has their sources. Each may be replaced by another one of the same name.

	END
	sort -u "$work/packages"
} >"$folder/README.portable"

# The same bytes from the same libraries.
time=${SOURCE_DATE_EPOCH:-$(if [ -e .git ]; then git log -1 --format=%ct; else sed 1q src/packaging/manifest; fi)}
tar -cf "$work/tar" --format=gnu --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$time" --sort=name -C "$work" "$name"
xz -9 -T1 <"$work/tar" >"$out.new"
mv "$out.new" "$out"
echo "$out: $(wc -c <"$out") bytes, $(find "$folder/lib" -type f | wc -l) libraries, $(du -sk "$folder" | cut -f 1) KB unpacked," \
	"glibc $(objdump -T "$folder/weir" "$folder"/lib/* | grep -o 'GLIBC_2\.[0-9]*' | sort -u -t . -k 2n | tail -n 1 | tr -d _A-Z) or later"
