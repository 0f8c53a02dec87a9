import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the folder redbox says, read the way that its readers read it. */

export const repository = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');

export function readRedbox(name: string): string {
  return readFileSync(`${repository}/redbox/${name}`, 'utf8');
}

export interface DocumentedRun {
  /** Each flag with its values, in the order of the page. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
}

const withoutValue: ReadonlySet<string> = new Set(['--rm', '-i', '--read-only']);

function readRun(block: string): DocumentedRun {
  const [, line = ''] = block.replaceAll('\\\n', ' ').split('docker run ');
  const words = line.trim().split(/\s+/);
  const flags = new Map<string, readonly string[]>();
  while (words[0]?.startsWith('-')) {
    const flag = words.shift() ?? '';
    const value = withoutValue.has(flag) ? 'true' : (words.shift() ?? '');
    flags.set(flag, [...(flags.get(flag) ?? []), value]);
  }
  return { flags, words };
}

/** Every `docker run` of the page for users. */
export function documentedRuns(): readonly DocumentedRun[] {
  const blocks = [...readRedbox('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.filter((block) => block.includes('docker run ')).map(readRun);
}

/** Flags that say where it runs and not how it is held. */
const placeFlags: ReadonlySet<string> = new Set(['--rm', '-i', '--network', '--volume', '--env', '--publish']);

/** What holds a documented run, in words that compose.yaml can be compared with. */
export function hardeningOf({ flags }: DocumentedRun): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...flags].filter(([flag]) => !placeFlags.has(flag)));
}

/** The flags again, as arguments. */
export function hardenedArguments(run: DocumentedRun): readonly string[] {
  const given = Object.entries(hardeningOf(run));
  return given.flatMap(([flag, values]) =>
    values.flatMap((value) => (withoutValue.has(flag) ? [flag] : [`${flag}=${value}`])),
  );
}

export interface Stage {
  readonly from: string;
  readonly name: string;
  /** Each instruction on one line. */
  readonly instructions: readonly string[];
}

export function readStages(): readonly Stage[] {
  const lines = readRedbox('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines
    .join('\n')
    .split(/^(?=FROM )/m)
    .filter((part) => part.startsWith('FROM '))
    .map((part) => {
      const [first = '', ...instructions] = part.trim().split('\n');
      const [, from = '', name = ''] = /^FROM (\S+) AS (\S+)$/.exec(first) ?? [];
      return { from, name, instructions };
    });
}

const settingWords = ['ENV', 'USER', 'WORKDIR', 'ENTRYPOINT', 'CMD'];

/** How the image is started, as the Dockerfile says it. */
export function imageSettings(): readonly string[] {
  const plain = readStages().find(({ name }) => name === 'plain');
  return (plain?.instructions ?? []).filter((line) => settingWords.includes(line.split(' ')[0] ?? ''));
}
