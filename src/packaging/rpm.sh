#!/bin/sh
# Builds source and binary RPM from the tarball, and runs the program of the latter. Usage: src/packaging/rpm.sh VERSION TARBALL FOLDER
# $MAINTAINER and $HOMEPAGE are those of packaging.mk. Where rpm is not what keeps the system, it knows no package, so that the requirements of the build are not asked for.
set -eu
version=$1 tarball=$(realpath "$2") folder=$3
command -v rpmbuild >/dev/null || { echo "weir: make rpm needs rpmbuild (Debian's package rpm)" >&2; exit 1; }
rm -rf "$folder"
mkdir -p "$folder/SOURCES"
folder=$(realpath "$folder")
cp "$tarball" "$folder/SOURCES"
set --
rpm -q rpm >/dev/null 2>&1 || set -- --nodeps
case $HOMEPAGE in
*.invalid) ;; # a placeholder
*) set -- "$@" --define "weir_homepage $HOMEPAGE" ;;
esac
unset MAKEFLAGS MFLAGS MAKEOVERRIDES # rpmbuild has its own
# All times are that of the source.
time=$(tar -xJOf "$tarball" "weir-$version/src/packaging/manifest" | sed 1q)
SOURCE_DATE_EPOCH=$time rpmbuild -ba "$@" --define "_topdir $folder" --define "weir_version $version" --define "packager $MAINTAINER" \
	--define "use_source_date_epoch_as_buildtime 1" --define "clamp_mtime_to_source_date_epoch 1" src/packaging/weir.spec >"$folder/log" 2>&1 || { tail -n 40 "$folder/log"; exit 1; }
for package in "$folder"/RPMS/*/weir-"$version"-*.rpm; do
	rpm -K --nosignature "$package"
	mkdir "$folder/root"
	(cd "$folder/root" && rpm2cpio "$package" | cpio -id --quiet)
	"$folder/root/usr/bin/weir" --version | sed 1q
done
ls -l "$folder"/RPMS/*/*.rpm "$folder"/SRPMS/*.rpm
