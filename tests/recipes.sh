#!/bin/sh
# Runs what APKBUILD and PKGBUILD say, as abuild (in a shell of BusyBox) and makepkg (in bash) do: builds, checks, and packs into a folder. Both
# build the same sources, the second one with what the first one has compiled. The names of packages of Alpine and Arch are not looked at.
# Usage: tests/recipes.sh RECIPES TARBALL FOLDER
set -eu
export LC_ALL=C.UTF-8
recipes=$(realpath "$1") tarball=$(realpath "$2")
mkdir -p "$3"
folder=$(realpath "$3")
said='the sources cannot be unpacked'
trap '[ $? = 0 ] || echo "recipes: $said"' EXIT
rm -rf "$folder/src" "$folder/pkg-APKBUILD" "$folder/pkg-PKGBUILD"
mkdir "$folder/src"
tar -xJf "$tarball" -C "$folder/src"

said='shellcheck has found something'
! command -v shellcheck >/dev/null || shellcheck -s sh "$recipes/APKBUILD"
! command -v shellcheck >/dev/null || shellcheck -s bash "$recipes/PKGBUILD"

# What is the package manager's work before build() and around the functions; abuild enters the folder of the sources, makepkg the one above.
cat >"$folder/run" <<'END'
set -e
recipe=$1 srcdir=$2/src pkgdir=$2/pkg-${1##*/} tarball=$3
mkdir "$pkgdir"
. "$recipe"
if [ -n "$sha512sums" ]; then
	[ "$source" = "${tarball##*/}" ]
	(cd "${tarball%/*}" && printf '%s\n' "$sha512sums" | sed '/^$/d' | sha512sum -c)
	start=$srcdir/$pkgname-$pkgver
else
	[ "${source}" = "${tarball##*/}" ]
	(cd "${tarball%/*}" && printf '%s  %s\n' "$sha256sums" "$source" | sha256sum -c)
	start=$srcdir
fi
for function in build check package; do
	echo "$function of ${recipe##*/}"
	cd "$start"
	"$function"
done
END
for pair in 'APKBUILD busybox ash' 'PKGBUILD bash --norc'; do
	recipe=${pair%% *} shell=${pair#* }
	if ! command -v "${shell%% *}" >/dev/null; then
		echo "skipped: $recipe needs ${shell%% *}"
		continue
	fi
	said="$recipe fails"
	# shellcheck disable=SC2086
	env -u MAKELEVEL -u BUILD MAKEFLAGS="-j$(nproc)" $shell "$folder/run" "$recipes/$recipe" "$folder" "$tarball" >"$folder/$recipe.log" 2>&1 || {
		tail -n 20 "$folder/$recipe.log"
		exit 1
	}
	said="what $recipe packs is not all"
	for file in bin/weir share/man/man1/weir.1 share/man/man5/weir.conf.5 share/bash-completion/completions/weir share/zsh/site-functions/_weir \
		share/fish/vendor_completions.d/weir.fish share/licenses/weir/LICENSE; do
		[ -s "$folder/pkg-$recipe/usr/$file" ] || { echo "$file"; exit 1; }
	done
	said="what $recipe packs does not run"
	"$folder/pkg-$recipe/usr/bin/weir" --version >"$folder/version"
	said="what $recipe packs names the folder that it was packed in"
	! grep -rl -e "$folder" "$folder/pkg-$recipe" || exit 1
	said="$recipe packs outside /usr"
	[ "$(ls "$folder/pkg-$recipe")" = usr ]
	echo "recipes: $recipe builds and packs $(find "$folder/pkg-$recipe" -type f | wc -l) files"
done
