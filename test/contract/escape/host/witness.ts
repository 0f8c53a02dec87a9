import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runTool } from '../../../../src/base/process.ts';
import { mountLines, readSettings } from './machine.ts';
import type { Scene } from './scene.ts';

/** Looks from outside, after each attempt, whether anything of it came through or stayed. */
export interface Witness {
  look(traces: Traces): Promise<readonly string[]>;
  close(): void;
}

/** What a box or its processes can be recognised by on the host. */
export interface Traces {
  /** In the command line of the attempt and of everything it forks. */
  readonly token: string;
  readonly boxId: string | null;
}

const graceMs = 400;

export function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return otherwise;
  }
}

export function findProcesses(mark: string): readonly number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.filter((pid) => readOr(`/proc/${pid}/cmdline`, '').includes(mark)).map(Number);
}

/** Priority, processors and limits of a process. */
function controls(pid: number): string {
  const nice =
    readOr(`/proc/${pid}/stat`, '')
      .replace(/^.*\) /, '')
      .split(' ')[16] ?? 'gone';
  const processors = /^Cpus_allowed:.*$/m.exec(readOr(`/proc/${pid}/status`, ''))?.[0] ?? 'gone';
  return [nice, processors, readOr(`/proc/${pid}/oom_score_adj`, 'gone'), readOr(`/proc/${pid}/limits`, 'gone')].join(
    '\n',
  );
}

function findFolders(runtimeFolder: string, boxId: string): readonly string[] {
  if (!existsSync(runtimeFolder)) return [];
  const names = readdirSync(runtimeFolder).flatMap((name) => [
    name,
    ...(existsSync(join(runtimeFolder, name, boxId)) ? [join(name, boxId)] : []),
  ]);
  return names.filter((name) => name.includes(boxId));
}

function findGroups(boxId: string): readonly string[] {
  const roots = ['/sys/fs/cgroup', ...readdirSync('/sys/fs/cgroup').map((name) => join('/sys/fs/cgroup', name))];
  return roots.flatMap((root) => {
    try {
      const first = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      const second = first.flatMap(({ name }) => (name.includes('hotcell') ? readdirSync(join(root, name)) : []));
      return [...first.map(({ name }) => name), ...second]
        .filter((name) => name.includes(boxId))
        .map((name) => `${root}/${name}`);
    } catch {
      return [];
    }
  });
}

const objectKinds = { shm: '-M', msg: '-Q', sem: '-S' } as const;
type ObjectKind = keyof typeof objectKinds;

/** Attempts make their System V objects with the start of their token. */
function keyOf(token: string): number {
  return Number.parseInt(token.slice(0, 7), 16);
}

/** System V objects belong to no process: one that nobody removes stays. */
function findObjects(token: string): readonly ObjectKind[] {
  const key = String(keyOf(token));
  const kinds = Object.keys(objectKinds) as ObjectKind[];
  return kinds.filter((kind) =>
    readOr(`/proc/sysvipc/${kind}`, '')
      .split('\n')
      .some((line) => line.trim().split(/\s+/)[0] === key),
  );
}

/** An escape is reported once and does not stay on the machine. */
async function sweep({ token }: Traces): Promise<void> {
  for (const pid of findProcesses(token)) process.kill(pid, 'SIGKILL');
  for (const kind of findObjects(token)) await runTool('ipcrm', [objectKinds[kind], String(keyOf(token))]);
}

/** What is still there after the box is closed. */
function leftovers(scene: Scene, { token, boxId }: Traces): readonly string[] {
  const marks = boxId === null ? [token] : [token, boxId];
  const processes = marks
    .flatMap(findProcesses)
    .map((pid) => `process ${pid} is left: ${readOr(`/proc/${pid}/cmdline`, '').replaceAll('\0', ' ').slice(0, 120)}`);
  const mounts = mountLines()
    .filter((line) => marks.some((mark) => line.includes(mark)) || line.includes(scene.files.folder))
    .map((line) => `a mount is left: ${line}`);
  const folders =
    boxId === null ? [] : findFolders(scene.runtimeFolder, boxId).map((name) => `a folder is left: ${name}`);
  const groups = boxId === null ? [] : findGroups(boxId).map((name) => `a control group is left: ${name}`);
  const objects = findObjects(token).map((kind) => `a System V object is left: ${kind}`);
  return [...processes, ...mounts, ...folders, ...groups, ...objects];
}

export function openWitness(scene: Scene): Witness {
  const settings = readSettings();
  const people = [
    { name: 'the victim of root', pid: scene.victims.root.pid },
    { name: 'the victim of another user', pid: scene.victims.other.pid },
  ].map((person) => ({ ...person, before: controls(person.pid) }));
  const ownNice = controls(process.pid).split('\n')[0];
  let signals = 0;
  const countSignal = (): void => {
    signals += 1;
  };
  process.on('SIGURG', countSignal);

  const changes = async (): Promise<readonly string[]> => {
    const now = readSettings();
    const victims = [scene.victims.root, scene.victims.other];
    const [reached, ...felt] = await Promise.all([scene.kernelObjects, ...victims].map((helper) => helper.takeLines()));
    const seen = signals;
    signals = 0;
    return [
      ...scene.files.findChanges(),
      ...scene.listeners.takeVisits(),
      ...(reached ?? []).map((line) => `the ${line.replace('visit ', '')} of the host was reached`),
      ...[...settings].filter(([path, was]) => now.get(path) !== was).map(([path]) => `${path} was changed`),
      ...people
        .filter(({ pid, before }) => controls(pid) !== before)
        .map(({ name }) => `priority or limits of ${name} were changed`),
      ...victims.filter((victim) => !victim.isAlive()).map(({ pid }) => `the victim ${pid} is gone`),
      ...felt.flat().map((line) => `a victim felt ${line}`),
      ...(seen > 0 ? ['hotcell was signalled'] : []),
      ...(controls(process.pid).split('\n')[0] === ownNice ? [] : ['the priority of hotcell was changed']),
    ];
  };

  return {
    async look(traces) {
      const found = await changes();
      if (leftovers(scene, traces).length === 0) return found;
      // The last process of a box may still be on its way out when its box is closed.
      await sleep(graceMs);
      const left = leftovers(scene, traces);
      await sweep(traces);
      return [...found, ...left];
    },
    close() {
      process.off('SIGURG', countSignal);
    },
  };
}
