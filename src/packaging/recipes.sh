#!/bin/sh
# Writes APKBUILD and PKGBUILD for a tarball, with who maintains them ($MAINTAINER), the home page ($HOMEPAGE) and checksums.
# Usage: src/packaging/recipes.sh VERSION TARBALL FOLDER
set -eu
export LC_ALL=C
version=$1 tarball=$2 folder=$3
mkdir -p "$folder"
sum() { # sha256 or sha512
	"$1sum" <"$tarball" | cut -d ' ' -f 1
}
escaped() { # for the right side of s~~~
	printf '%s\n' "$1" | sed 's/[\\~&]/\\&/g'
}
for recipe in APKBUILD PKGBUILD; do
	sed -e "s~^# \(Maintainer\|Contributor\): .*~# \1: $(escaped "$MAINTAINER")~" -e "s~^url=.*~url='$(escaped "$HOMEPAGE")'~" \
		-e "s~^pkgver=.*~pkgver=$version~" -e "s~^sha256sums=.*~sha256sums=('$(sum sha256)')~" "src/packaging/$recipe" >"$folder/$recipe"
done
printf 'sha512sums="\n%s  weir-%s.tar.xz\n"\n' "$(sum sha512)" "$version" >>"$folder/APKBUILD"
ls -l "$folder/APKBUILD" "$folder/PKGBUILD"
