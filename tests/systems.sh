#!/bin/sh
# Tries README.md's two commands, `make run` and `make check`, on other releases and machines: in small systems that debootstrap makes.
# Usage: [PACKAGES="SOURCE.tar.xz PORTABLE.tar.xz"] tests/systems.sh LOGS [NAME...] - without a NAME: all of the table below. With PACKAGES it
# tries tests/packages.sh in them instead. Seconds are those from a bare system only where the system was made for it; packages always are.
# Prints one line a system; what its commands print is in LOGS/NAME.log. Needs root. Systems are kept in $WEIR_SYSTEMS, else in
# ~/.cache/weir/systems, and brought up to date before each run. Packages come from the mirror that this machine's apt uses; Ubuntu's from
# $UBUNTU_MIRROR, else from "ubuntu" beside that mirror's "debian".
set -u
export LC_ALL=C
umask 022
logs=$1
shift
systems=${WEIR_SYSTEMS:-${XDG_CACHE_HOME:-$HOME/.cache}/weir/systems}

# name, distribution, release, machine ("native": this one), layers that are tested (none: all)
table='
debian-12     debian  bookworm  native
debian-13     debian  trixie    native
sid           debian  sid       native
ubuntu-24.04  ubuntu  noble     native
i386          debian  bookworm  i386
s390x         debian  bookworm  s390x   base wire chat store
'

mirror_of() { # distribution
	debian=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/$')
	case $1 in
	ubuntu) echo "${UBUNTU_MIRROR:-${debian%debian/}ubuntu/}" ;;
	*) echo "$debian" ;;
	esac
}

# A folder that is there is a whole system: it gets its name at the end.
make_system() { # distribution, release, machine
	options="--variant=minbase --include=make"
	[ "$1" != ubuntu ] || options="--variant=minbase --include=make,gpgv --components=main,universe"
	[ "$3" = native ] || options="$options --arch=$3"
	keyring=/usr/share/keyrings/$1-archive-keyring.gpg
	if [ -f "$keyring" ]; then options="$options --keyring=$keyring"; else options="$options --no-check-gpg"; fi
	# A release that is newer than debootstrap is made as its distribution's others are.
	script=
	[ -e "/usr/share/debootstrap/scripts/$2" ] || [ "$1" != ubuntu ] || script=gutsy
	rm -rf "$root.new"
	# shellcheck disable=SC2086
	debootstrap $options "$2" "$root.new" "$(mirror_of "$1")" $script && mv "$root.new" "$root"
}

# A command in the system. What is mounted for it goes away with it, and so does each process that it leaves. The root is changed by
# pivot_root(8): where it was by chroot(8), the kernel refuses name spaces to the tests.
inside() {
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child --propagation private sh -c '
		root=$1 shared=$2
		shift 2
		mount --bind "$root" "$root" && mount --rbind /dev "$root/dev" && mount -t proc proc "$root/proc" &&
			mount --rbind /sys "$root/sys" && mount -t tmpfs tmpfs "$root/tmp" || exit 1
		if [ -d "$shared" ]; then mount --bind "$shared" "$root/weir/shared" || exit 1; fi
		cd "$root" && pivot_root . mnt && umount -l mnt || exit 1
		exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm-256color LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			MAKEFLAGS="-j$(nproc)" ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} "$@"' \
		sh "$root" "$PWD/../shared" "$@"
}

# A clean checkout of what is here, and how this machine reaches the mirror.
fill_system() {
	rm -rf "$root/weir"
	mkdir -p "$root/weir/main" "$root/weir/shared" && cp /etc/resolv.conf "$root/etc/resolv.conf" || return 1
	{
		apt-config dump | grep '^Acquire::.*Proxy'
		echo 'Acquire::Check-Valid-Until "false"; // a mirror may stand still'
	} >"$root/etc/apt/apt.conf.d/99mirror"
	git ls-files -z --cached --others --exclude-standard | tar -cf - --null --files-from - | tar -xf - -C "$root/weir/main" &&
		inside sh -c 'apt-get update -q && apt-get dist-upgrade -q -y'
}

# Makes the system $root if it is not there, and brings it up to date.
have_system() { # distribution, release, machine
	if [ ! -d "$root" ] && ! make_system "$1" "$2" "$3" >>"$log" 2>&1; then
		echo "debootstrap fails"
		return 1
	fi
	if ! fill_system >>"$log" 2>&1; then
		echo "its packages cannot be brought up to date"
		return 1
	fi
}

# Prints what tests/packages.sh says.
run_packages() { # build or try, a file
	cp "$2" "$root/weir"
	inside sh /weir/main/tests/packages.sh "$1" "/weir/${2##*/}" >"$log.now" 2>&1
	status=$?
	cat "$log.now" >>"$log"
	sed -n 's/^packages: //p' "$log.now" | tail -n 1
	rm "$log.now"
	return "$status"
}

# A system on which nothing was installed yet is kept beside the other one. What is tried is tried in a copy of it.
try_bare() { # what is tried, distribution, release, machine
	kept=$root
	root=$kept.bare
	have_system "$2" "$3" "$4" || return 1
	rm -rf "$kept.trial"
	cp -a "$root" "$kept.trial"
	root=$kept.trial
	run_packages try "$1"
	status=$?
	rm -rf "$root"
	root=$kept
	return "$status"
}

try_packages() { # distribution, release, machine
	source=${PACKAGES%% *} portable=${PACKAGES##* }
	said=$(run_packages build "$source") || { echo "$said"; return 1; }
	rm -rf "${logs:?}/$name"
	mkdir -p "$logs/$name"
	cp "$root"/weir/*.deb "$logs/$name"
	for file in "$logs/$name"/weir_*.deb "$portable"; do
		word=$(try_bare "$file" "$@")
		status=$?
		said="$said; ${file##*/}: $word"
		[ $status = 0 ] || break
	done
	echo "$said"
	return "$status"
}

# Prints what there is to say of the system, and fails if that is not good.
try_system() { # distribution, release, machine, layers
	if [ -n "${PACKAGES:-}" ] && [ "$3" != native ]; then
		echo "skipped: it is another kind of machine"
		return 0
	fi
	have_system "$1" "$2" "$3" || return 1
	if [ -n "${PACKAGES:-}" ]; then
		try_packages "$1" "$2" "$3"
		return
	fi
	begin=$(date +%s)
	if inside sh /weir/main/tests/first_chat.sh "make -C /weir/main run" >"$log.now" 2>&1; then
		chat="make run starts the chat after $(tail -n 1 "$log.now") s"
	else
		chat="make run does not start the chat"
	fi
	cat "$log.now" >>"$log"
	rm "$log.now"
	inside make -C /weir/main check ${4:+CHECKED="$4"} >>"$log" 2>&1
	count=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" | tail -n 1)
	echo "$chat; make check: ${count:-does not end}, after $(($(date +%s) - begin)) s"
	case "$chat, $count" in *"does not"*) return 1 ;; *" passed, 0 failed, "*) return 0 ;; *) return 1 ;; esac
}

[ "$(id -u)" = 0 ] || { echo "systems: needs root, for debootstrap and chroot" >&2; exit 2; }
mkdir -p "$logs" "$systems"
failed=0
[ $# -gt 0 ] || set -- $(echo "$table" | awk '{ print $1 }')
for name in "$@"; do
	row=$(echo "$table" | grep "^$name ") || { echo "systems: $name is none of: $(echo "$table" | awk '{ print $1 }' | xargs)" >&2; exit 2; }
	root=$systems/$name log=$logs/$name.log
	: >"$log"
	# shellcheck disable=SC2086
	set -- $row
	distribution=$2 release=$3 machine=$4
	shift 4
	layers=$*
	exec 9>"$root.lock"
	flock 9 # another run may use the system
	if said=$(try_system "$distribution" "$release" "$machine" "$layers"); then
		echo "$name: $said"
	else
		echo "$name: FAILED: $said ($log)"
		failed=1
	fi
done
exit $failed
