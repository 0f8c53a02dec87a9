import { randomBytes } from 'node:crypto';
import { deadlineSlackMs } from './limits.ts';

/**
 * What goes round a command in another place, in the language of a POSIX shell. The command runs in a session of its own
 * and everything of that session ends when the command does, when its time is over, or when nobody is left at this end of
 * the connection: the standard input carries what the program may read, of a length told before, and its end after that
 * is the word to end everything. So neither a lost connection nor a killed Hotcell leaves anything behind.
 */

export const markName = 'HOTCELL_COMMAND';

export function makeMark(): string {
  return randomBytes(16).toString('hex');
}

/** Finds by its environment what has left the session, and ends it. Three rounds, for what was being started meanwhile. */
const sweep = `
sweep() {
  for round in 1 2 3; do
    found=
    if command -v grep >/dev/null 2>&1; then
      found=$(grep -l -s -F -e "${markName}=$1" /proc/[0-9]*/environ)
    else
      for one in /proc/[0-9]*/environ; do
        case $(tr '\\0' '\\n' <"$one") in *"${markName}=$1"*) found="$found $one" ;; esac
      done
    fi
    [ -n "$found" ] || return 0
    for one in $found; do
      one=\${one#/proc/}
      one=\${one%/environ}
      kill -s KILL -- "-$one"
      kill -s KILL "$one"
    done
  done
}`;

/** Runs inside the session. $$ is its leader, so that a signal to -$$ reaches everything, this script included. */
const inner = `
count=$1 deadline=$2 folder=$3
shift 3
exec 4>&2 2>/dev/null
if [ -n "$folder" ]; then
  cd -- "$folder" >/dev/null || { echo "$${markName} folder" >&4; exit 126; }
else
  cd -- "\${HOME:-/}" >/dev/null || cd /
fi
finish() { kill -s KILL -- "-$$" || kill -s KILL "$$"; }
( sleep "$deadline"; finish ) >/dev/null 3<&- 4>&- &
{
  ( [ "$count" -eq 0 ] || head -c "$count" <&3; exec >/dev/null; cat <&3; finish ) 4>&- &
} | (
  exec 2>&4 3<&- 4>&-
  many=$1
  shift
  while [ "$many" -gt 0 ]; do export "$1"; shift; many=$((many - 1)); done
  exec "$@"
)
exit $?`;

/** Begins the session by the first means there is; without any, what was marked is still found. */
const outer = `${sweep}
mark=$1 inner=$2
shift 2
unset CDPATH ENV BASH_ENV
exec 3<&0 </dev/null
perl='use POSIX; POSIX::setsid(); exec {$ARGV[0]} @ARGV'
python='import os, sys; os.setsid(); os.execv(sys.argv[1], sys.argv[1:])'
means=plain
for one in setsid perl python3; do
  if command -v $one >/dev/null 2>&1; then means=$one; break; fi
done
[ $means != plain ] || set -m 2>/dev/null
(
  export ${markName}="$mark"
  case $means in
    setsid) exec setsid /bin/sh -c "$inner" hotcell "$@" ;;
    perl) exec perl -e "$perl" /bin/sh -c "$inner" hotcell "$@" ;;
    python3) exec python3 -c "$python" /bin/sh -c "$inner" hotcell "$@" ;;
    plain) exec /bin/sh -c "$inner" hotcell "$@" ;;
  esac
) &
session=$!
exec >/dev/null 2>&1 3<&-
wait $session
code=$?
kill -s KILL -- "-$session"
sweep "$mark"
exit $code`;

const ending = `${sweep}
exec </dev/null >/dev/null 2>&1
sweep "$1"`;

export interface Guarded {
  readonly argv: readonly string[];
  readonly mark: string;
  readonly inputBytes: number;
  readonly timeoutMs: number;
  readonly cwd: string | undefined;
  readonly environment: readonly string[];
}

/** The same everywhere, whatever the place has for people who log in. */
const fixedEnvironment = ['LANG=C.UTF-8', 'LC_ALL=C.UTF-8', 'TERM=dumb'];

export function guard({ argv, mark, inputBytes, timeoutMs, cwd, environment }: Guarded): readonly string[] {
  const deadline = Math.ceil((timeoutMs + deadlineSlackMs) / 1000);
  const head = [mark, inner, String(inputBytes), String(deadline), cwd ?? ''];
  const variables = [...fixedEnvironment, ...environment];
  return ['/bin/sh', '-c', outer, 'hotcell', ...head, String(variables.length), ...variables, ...argv];
}

/** A second command that ends a first one. */
export function endMarked(mark: string): readonly string[] {
  return ['/bin/sh', '-c', ending, 'hotcell', mark];
}

/** What the script says when the folder to run in cannot be entered. */
export function noFolderLine(mark: string): string {
  return `${mark} folder\n`;
}
