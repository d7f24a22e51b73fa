#!/bin/sh
# Builds source and binary RPM from the tarball, and runs the program of the latter. Usage: src/packaging/rpm.sh VERSION TARBALL FOLDER
# $MAINTAINER and $HOMEPAGE are those of packaging.mk. Where rpm is not what keeps the system, it knows no package, so that the requirements of the build are not asked for.
set -eu
version=$1 tarball=$(realpath "$2") folder=$3
for tool in rpmbuild desktop-file-validate; do
	command -v $tool >/dev/null || { echo "weir: make rpm needs $tool (Debian's packages rpm, desktop-file-utils)" >&2; exit 1; }
done
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
	cp "$package" "$folder/root.rpm"
	rpm2archive "$folder/root.rpm"
	tar -xzf "$folder/root.rpm.tgz" -C "$folder/root"
	rm "$folder"/root.rpm*
	"$folder/root/usr/bin/weir" --version | sed 1q
done
ls -l "$folder"/RPMS/*/*.rpm "$folder"/SRPMS/*.rpm
