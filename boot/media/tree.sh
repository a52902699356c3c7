# The files of a boot medium, for boot/media/mkiso.sh, mkusb.sh and mknet.sh, which read this file.
# It takes their options, and makes the folder $root with the kernels, the modules and the menu of
# GRUB. They call tree_menu ARGUMENTS when they know all arguments of the kernel.
#
# Sets: build arguments modules default timeout, the name of the image in out, work (a folder that
# goes away at the end), root, epoch.

usage() {
	sed -n 's/^# \{0,1\}//; 4,12p' "$here/mkiso.sh" | sed "s,boot/media/mkiso.sh,$0," >&2
	exit 3
}

# Ends if the output $1 is a device or one of the files $2, a line each: mv would replace it.
keep_inputs() {
	[ ! -e "$1" ] || [ -f "$1" ] || [ -d "$1" ] || {
		echo "$0: $1 is no regular file, so it stays as it is" >&2
		exit 3
	}
	printf '%s' "$2" | while read -r file; do
		[ ! "$1" -ef "$file" ] || {
			echo "$0: $1 is a module of this image, so it stays as it is" >&2
			exit 3
		}
	done || exit 3
}

# The text of a sed replacement that stands for itself.
literal() {
	printf '%s' "$1" | sed 's/[\\&|]/\\&/g'
}

tree_modules() {
	lines1='' lines2=''
	[ -n "$modules" ] || return 0
	n=0
	oldifs=$IFS
	IFS='
'
	set -f # a name is no pattern
	for file in $modules; do
		name=$(basename "$file" | tr -c 'A-Za-z0-9._\n-' '_')
		cp "$file" "$root/boot/modules/$n-$name"
		lines1="$lines1	module /boot/modules/$n-$name $name\\
"
		lines2="$lines2	module2 /boot/modules/$n-$name $name\\
"
		n=$((n + 1))
	done
	set +f
	IFS=$oldifs
}

# $1, a file of this folder, with arguments $2.
tree_fill() {
	case $default in
	bits*) entry="kernel>$default" ;; # in GRUB it stands in the menu of that name
	*) entry=$default ;;
	esac
	sed -e "s|@TIMEOUT@|$timeout|; s|@DEFAULT@|$default|; s|@ENTRY@|$entry|" \
		-e "s|@ARGUMENTS@|$(literal "$2")|" \
		-e "s|set gfxpayload=.*|${screen:+set gfxpayload=}${screen:-&}|" \
		-e "s|@MODULES1@|$lines1|; s|@MODULES2@|$lines2|" "$here/$1"
}

tree_menu() {
	tree_fill grub.cfg "$1" >"$root/boot/grub/grub.cfg"
	find "$root" -exec touch -h -d "@$epoch" {} +
}

build=build arguments='' modules='' default=auto timeout=3 screen=''
while getopts b:a:m:d:t:g: option; do
	case $option in
	b) build=$OPTARG ;;
	a) arguments=$OPTARG ;;
	m) modules="$modules$OPTARG
" ;;
	d) default=$OPTARG ;;
	t) timeout=$OPTARG ;;
	g) screen=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
out=$1
keep_inputs "$out" "$modules"

epoch=${SOURCE_DATE_EPOCH:-0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir -p "$root/boot/grub" "$root/boot/modules"
cp "$build/32/cpl0.xz" "$root/boot/cpl0-32.xz"
cp "$build/64/cpl0.xz" "$root/boot/cpl0-64.xz"
tree_modules
