import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { toolEnvironment } from '../../base/process.ts';

/**
 * Stands by for the case that Hotcell itself is killed: a shell that is told which process groups are ours. It reads from a
 * pipe that nobody else holds, so that the end of the pipe is the end of Hotcell, and then ends what is left of them.
 */
export interface Keeper {
  watch(group: number): void;
  release(group: number): void;
  close(): void;
}

const script = `
groups=' '
while read -r verb group; do
  case $verb in
    watch) groups="$groups$group " ;;
    release) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done`;

export function openKeeper(): Keeper {
  let child: ChildProcess | undefined;
  const say = (line: string): void => {
    child?.stdin?.write(line);
  };
  return {
    watch(group) {
      if (child === undefined) {
        child = spawn('/bin/sh', ['-c', script], {
          detached: true,
          stdio: ['pipe', 'ignore', 'ignore'],
          env: { ...toolEnvironment },
          cwd: '/',
        });
        child.on('error', () => undefined);
        child.stdin?.on('error', () => undefined);
        // Neither the process nor its pipe may keep Hotcell from ending.
        child.unref();
        (child.stdin as Socket | null)?.unref();
      }
      say(`watch ${group}\n`);
    },
    release: (group) => say(`release ${group}\n`),
    close: () => {
      child?.stdin?.end();
      child = undefined;
    },
  };
}
