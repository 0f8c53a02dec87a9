/**
 * What the connector asks of another place about files: small scripts for a POSIX shell with coreutils or busybox. Names
 * come in as arguments and go out between zero bytes, so that nothing in a name is ever read as anything else.
 */

/** Reads its standard input: names that hash programs would escape are none of its business. */
const hash = `
hash() {
  if command -v sha256sum >/dev/null 2>&1; then set -- $(sha256sum)
  elif command -v openssl >/dev/null 2>&1; then set -- $(openssl dgst -sha256 -r)
  else set -- none
  fi
  echo "$1"
}`;

/** path, folder, part, overwrite: 0 or 1. Says `size hash`, and leaves the part for the next script. */
export const writePart = `${hash}
if [ "$4" = 0 ] && { [ -e "$1" ] || [ -L "$1" ]; }; then echo exists; exit 0; fi
if [ -d "$1" ]; then echo folder; exit 0; fi
mkdir -p -- "$2" || exit 1
umask 077
set -C
cat >"$3" || { rm -f -- "$3"; exit 1; }
echo $(($(wc -c <"$3"))) $(hash <"$3")`;

/** path, part, overwrite, mode. A link is made where nothing may be overwritten: it fails where something is. */
export const movePart = `
fail() { rm -f -- "$2"; echo "$3"; exit "$1"; }
chmod "$4" -- "$2" || fail 1 "$2" failed
if [ -d "$1" ]; then fail 0 "$2" folder; fi
if [ "$3" = 1 ]; then
  mv -f -- "$2" "$1" || fail 1 "$2" failed
elif ln -- "$2" "$1" 2>/dev/null; then
  rm -f -- "$2"
elif [ -e "$1" ] || [ -L "$1" ]; then
  fail 0 "$2" exists
else
  mv -- "$2" "$1" || fail 1 "$2" failed
fi
echo moved`;

export const removeFile = `rm -f -- "$1"`;

/** path, most bytes. The content to the standard output, \`size hash\` to the other; a word alone is a refusal. */
export const readFile = `${hash}
if [ -d "$1" ]; then echo folder >&2; exit 0; fi
if [ ! -e "$1" ]; then echo nothing >&2; exit 0; fi
if [ ! -f "$1" ]; then echo special >&2; exit 0; fi
exec 5<"$1" || exit 1
size=$(wc -c <"$1") || exit 1
size=$((size))
if [ "$size" -gt "$2" ]; then echo "large $size" >&2; exit 0; fi
head -c "$size" <&5 || exit 1
echo "$size" $(head -c "$size" <"$1" | hash) >&2`;

/** Names. For each that is there a line with its own name at the end, and links once more with what they hold. */
const describe = `
describe() {
  stat -c '%f %s %Y %n' -- "$@" 2>/dev/null
  printf '\\0'
  for one do
    if [ -L "$one" ]; then
      target=$(readlink -n -- "$one"; echo /)
      printf '%s\\0%s\\0' "$one" "\${target%/}"
    fi
  done
}`;

/** path. Says \`none\` for what is not there, and fails for what cannot be looked at. */
export const statOne = `${describe}
if [ ! -e "$1" ] && [ ! -L "$1" ]; then
  problem=$(stat -c %f -- "$1" 2>&1 >/dev/null)
  case $problem in
    *'No such file'* | *'Not a directory'* | *'Too many levels'*) printf 'none' ; exit 0 ;;
  esac
  echo "$problem" >&2
  exit 1
fi
describe "$1"`;

/** folder, then names in it. */
export const statMany = `${describe}
cd -- "$1" >/dev/null || exit 1
shift
describe "$@"`;

/** folder, how many may be described at once. All names, then, when there are few enough, what they are. */
export const listNames = `${describe}
if [ ! -e "$1" ]; then printf nothing; exit 0; fi
if [ ! -d "$1" ]; then printf file; exit 0; fi
cd -- "$1" >/dev/null || exit 1
if [ ! -r . ]; then echo 'it cannot be read' >&2; exit 1; fi
most=$2 total=0
is() { [ -e "$1" ] || [ -L "$1" ]; }
# A pattern that fits nothing stands for itself.
tell() {
  if [ $# -gt 1 ] || is "$1"; then
    total=$((total + $#))
    printf '%s\\0' "$@"
  fi
}
printf 'names\\0'
tell .[!.]*
tell ..?*
tell *
printf '\\0'
if [ "$total" -gt 0 ] && [ "$total" -le "$most" ]; then
  set -- .[!.]* ..?* *
  for one do
    shift
    if is "$one"; then set -- "$@" "$one"; fi
  done
  describe "$@"
fi`;

export const realPathOf = `
[ -e "$1" ] || exit 0
target=$(readlink -f -- "$1" && echo /) || exit 1
printf '%s' "\${target%??}"`;

export const makeFolderAt = `mkdir -p -- "$1"`;
