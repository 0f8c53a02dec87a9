import type { Policy } from '../../../base/policy-schema.ts';
import type { Compiled, Gap } from '../gap.ts';
import { isUnrestricted } from '../network.ts';
import {
  fakeNetworkGaps,
  limitGaps,
  noExecuteGaps,
  pathGap,
  syscallGaps,
  toolGaps,
  unreachableGaps,
} from './foreign-gaps.ts';
import { type ImagePath, imagePaths } from './image-paths.ts';
import { sharedMemoryBytes } from './oci.ts';
import { hostPathOf } from './path-facts.ts';
import type { Place } from './place.ts';

/**
 * Options of `docker run` for an image of one's own, as in `docker run $OPTIONS image command`. {work} is the folder that
 * docker is started in; {home} and {tmp} are memory, thrown away with the container. Where a rule names a path of the
 * host that is not there, docker refuses to start.
 */

/** A line break cannot stand in a list with one word per line, and what cannot be seen would be spelled out. */
const unwritable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}]/u;
const unwritableGap = 'it holds a character that cannot be seen';

function refusalOf(path: string): string | null {
  if (unwritable.test(path)) return unwritableGap;
  // The options of --tmpfs begin behind a colon, and nothing quotes it.
  return /^\{(home|tmp)\}.*:/.test(path) ? 'it holds a colon' : null;
}

/** `--mount` is read as one line of CSV. */
function csvField(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function bindOption(source: string, target: string, isWritable: boolean): string {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(isWritable ? [] : ['readonly'])];
  return `--mount=${fields.map(csvField).join(',')}`;
}

function memoryOption(target: string, isExecutable: boolean, { limits }: Policy, { uid, gid }: Place): string {
  const options = ['rw', 'nosuid', 'nodev', isExecutable ? 'exec' : 'noexec', `size=${limits.diskBytes}`];
  return `--tmpfs=${target}:${[...options, `uid=${uid}`, `gid=${gid}`, 'mode=0700'].join(',')}`;
}

/** What stands for a path of the box; null where the image's own, read-only, is enough. */
function boxOption({ path, access }: ImagePath, policy: Policy, place: Place): string | null {
  const target = hostPathOf(path, place.boxFolders);
  if (path.startsWith('{work}')) return bindOption(`.${path.slice('{work}'.length)}`, target, access.write);
  return access.write ? memoryOption(target, access.execute, policy, place) : null;
}

function networkOption(policy: Policy): string {
  return `--network=${isUnrestricted(policy) ? 'bridge' : 'none'}`;
}

function environmentOf(policy: Policy, place: Place): Compiled<readonly string[]> {
  const home = policy.environment.find(({ name }) => name === 'HOME');
  const own = home !== undefined && home.value === undefined ? [`--env=HOME=${place.boxFolders.home}`] : [];
  const gaps: Gap[] = [];
  const fixed = policy.environment.flatMap(({ name, value }, at) => {
    if (value === undefined) return [];
    if (!unwritable.test(value)) return [`--env=${name}=${value}`];
    const what = `${name} is not set: ${unwritableGap}`;
    gaps.push({ id: 'environment-value', path: `environment[${at}]`, what, effect: 'closed' });
    return [];
  });
  const free = policy.environment.filter(({ name, value }) => value === undefined && name !== 'HOME');
  if (free.length > 0) {
    const what = `${free.length} variables may be given and are not: add --env=NAME for those it needs`;
    gaps.push({ id: 'environment', path: 'environment', what, effect: 'closed' });
  }
  return { value: [...own, ...fixed], gaps };
}

function limitOptions({ limits }: Policy, sharedBytes: number): readonly string[] {
  return [
    `--memory=${limits.memoryBytes}`,
    `--memory-swap=${limits.memoryBytes}`,
    `--cpus=${limits.cpuCores}`,
    `--pids-limit=${limits.processes}`,
    `--ulimit=nofile=${limits.openFiles}:${limits.openFiles}`,
    `--ulimit=fsize=${limits.fileBytes}:${limits.fileBytes}`,
    '--ulimit=core=0:0',
    `--shm-size=${sharedBytes}`,
  ];
}

function diskGaps(options: readonly string[]): readonly Gap[] {
  const memories = options.filter((option) => option.startsWith('--tmpfs=')).length;
  const isWritten = options.some((option) => option.startsWith('--mount=') && !option.endsWith(',readonly'));
  if (memories < 2 && !isWritten) return [];
  const what = 'the space on disk is kept for each folder in memory alone, and not for folders of the host';
  return [{ id: 'disk-together', path: 'limits.diskBytes', what, effect: 'open' }];
}

export function compileDockerFlags(policy: Policy, place: Place): Compiled<readonly string[]> {
  const { host, box, gaps: pathGaps } = imagePaths(policy);
  const gaps: Gap[] = [...pathGaps];
  const writable = (paths: readonly ImagePath[]): readonly ImagePath[] =>
    paths.filter(({ path, rule }) => {
      const because = refusalOf(path);
      if (because !== null) gaps.push(pathGap(rule, path, 'path-characters', because));
      return because === null;
    });
  const given = writable(host);
  const work = writable(box);
  const bound = [...given, ...work.filter(({ path }) => path.startsWith('{work}'))];
  const mounts = [
    ...work.flatMap((each) => boxOption(each, policy, place) ?? []),
    ...given.map(({ path, access }) => bindOption(path, path, access.write)),
  ];
  const environment = environmentOf(policy, place);
  const value = [
    ...['--rm', '--interactive', '--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges'],
    `--user=${place.uid}:${place.gid}`,
    networkOption(policy),
    ...limitOptions(policy, sharedMemoryBytes(policy)),
    ...mounts,
    `--workdir=${place.boxFolders.work}`,
    ...environment.value,
  ];
  return {
    value,
    gaps: [
      ...gaps,
      ...noExecuteGaps(bound.filter(({ access }) => !access.execute).length),
      ...environment.gaps,
      ...fakeNetworkGaps(policy),
      ...unreachableGaps(policy, () => true, 'docker has no list of who may be reached, so there is no network'),
      ...diskGaps(mounts),
      ...limitGaps(['wallMs', 'outputBytes']),
      ...syscallGaps(policy, 'docker takes a filter from a file alone, so its own stands'),
      ...toolGaps(policy),
    ],
  };
}

/** One word per line, each as a POSIX shell reads it. */
export function shellLines(words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return `${quoted.join('\n')}\n`;
}
