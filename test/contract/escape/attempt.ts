import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Limits } from '../../../src/base/policy-schema.ts';
import type { BackendId } from '../../../src/engine/box/index.ts';
import type { HostActionId } from './host/actions.ts';

/** One way out that a program in a box tries. */
export interface Attempt {
  /** Group and name; the program is attempts/ID.pl. */
  readonly id: string;
  readonly group: string;
  /** First line of the program. */
  readonly what: string;
  readonly file: string;
  readonly options: AttemptOptions;
}

export interface AttemptOptions {
  /**
   * What a claim must hold to be true, where a box may have something of its own at the same place: `bytes` of the
   * host (a secret, a file), or `words` that name the host, its user or its folders.
   */
  readonly recognise?: 'bytes' | 'words';
  /** What is asked is the kernel: a claim made to a kernel that belongs to the box is no escape. */
  readonly asksKernel?: true;
  /** Backends on which this cannot be kept: which of the things that they say they cannot do it is. */
  readonly gap?: Partial<Record<BackendId, string>>;
  /** Limits that may end the program before it answers; being ended by one of them is being contained. */
  readonly endsBy?: readonly (keyof Limits)[];
  readonly limits?: Partial<Limits>;
  /** What the host does when the program says that it is ready. */
  readonly host?: HostActionId;
  /** Nothing else may run meanwhile, because the machine itself is measured. */
  readonly isAlone?: true;
  readonly needsNeighbour?: true;
  /** Only the LOW tier forbids it. */
  readonly isLowOnly?: true;
}

const folder = dirname(fileURLToPath(import.meta.url));

/** Groups whose attempts must fail under every tier, the most trusting one included. */
const groupsOfEveryTier = [
  'read',
  'device',
  'write',
  'link',
  'process',
  'mount',
  'namespace',
  'kernel',
  'terminal',
  'privilege',
  'socket',
  'ipc',
  'neighbour',
  'environment',
];

export function holdsInEveryTier(attempt: Attempt): boolean {
  return groupsOfEveryTier.includes(attempt.group) && attempt.options.isLowOnly === undefined;
}

export function readAttempt(id: string, options: AttemptOptions = {}): Attempt {
  const file = join(folder, 'attempts', `${id}.pl`);
  const firstLine = /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return { id, group: id.split('-')[0] ?? '', what: firstLine, file, options };
}

/** The whole program: numbers of the system calls, what all attempts share, and the attempt itself. */
export function programOf(file: string): Buffer {
  const parts = [join(folder, 'numbers.pl'), join(folder, 'prelude.pl'), file];
  return Buffer.concat(parts.map((part) => readFileSync(part)));
}
