#!/bin/sh
# Builds Debian's source and binary packages from the tarball. Usage: src/packaging/deb.sh VERSION TARBALL FOLDER
# The changelog is written here: what is new stands in src/CHANGES.md. $MAINTAINER and $HOMEPAGE are those of packaging.mk; $DEBFULLNAME and
# $DEBEMAIL are who builds it, if set.
set -eu
export LC_ALL=C
version=$1 tarball=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder"
cp "$tarball" "$folder/weir_$version.orig.tar.xz"
tar -xJf "$tarball" -C "$folder"
cd "$folder/weir-$version"
cp -R src/packaging/debian debian

# On Ubuntu a release has its packages for itself.
distribution=unstable
! grep -q '^ID=ubuntu' /etc/os-release || distribution=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
maintainer=$MAINTAINER
[ -z "${DEBFULLNAME:-}" ] || [ -z "${DEBEMAIL:-}" ] || maintainer="$DEBFULLNAME <$DEBEMAIL>"
sed -i "s/^Maintainer: .*/Maintainer: $maintainer/" debian/control
case $HOMEPAGE in
*.invalid) ;; # a placeholder
*) sed -i "/^Standards-Version:/a Homepage: $HOMEPAGE" debian/control ;;
esac
cat >debian/changelog <<END
weir ($version-1) $distribution; urgency=medium

  * New upstream release; what is new is in its own changelog.

 -- $maintainer  $(date -u -R -d "@$(sed 1q src/packaging/manifest)")
END
unset MAKEFLAGS MFLAGS MAKEOVERRIDES # dpkg has its own
dpkg-buildpackage -us -uc
cd ..
if command -v lintian >/dev/null; then
	lintian --fail-on none --tag-display-limit 0 ./*.changes >lintian
	cat lintian
	# appstreamcli misses a home page, and there is none. Older versions of lintian know no such tag, and take no override of it.
	! grep '^[EW]:' lintian | grep -v appstream-metadata-validation-failed || exit 1
fi
ls -l ./*.deb ./*.dsc ./*.tar.xz
