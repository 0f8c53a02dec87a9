import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { describeError, UsageError } from '../../../base/errors.ts';
import { limitsSchema, networkModes, type Policy } from '../../../base/policy-schema.ts';

/** Folders of the kernel, and the root that holds them all: a view of these would be no box. */
const refusedFolders = ['/', '/proc', '/sys', '/dev', '/run', '/var/run'];

export function readEnvironment(pairs: readonly string[]): Readonly<Record<string, string>> {
  const environment: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--env ${JSON.stringify(pair)}: expected NAME=VALUE`);
    environment[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return environment;
}

export function readTime(text: string): number {
  const parsed = /^[0-9]+$/.test(text) ? limitsSchema.shape.wallMs.safeParse(Number(text)) : null;
  if (parsed?.success) return parsed.data;
  throw new UsageError(`--time ${JSON.stringify(text)}: expected a whole number of milliseconds, 100 to one week`);
}

/** The folder as it really is: a link that is turned elsewhere later does not move the view. */
export function readWorkFolder(path: string, folder: string): string {
  let real: string;
  try {
    real = realpathSync(resolve(folder, path));
    if (!statSync(real).isDirectory()) throw new UsageError('it is not a folder');
  } catch (cause) {
    throw new UsageError(`--workdir ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  }
  const isRefused = refusedFolders.some(
    (refused) => real === refused || (refused !== '/' && real.startsWith(refused + sep)),
  );
  if (isRefused) throw new UsageError(`--workdir ${JSON.stringify(path)}: ${real} is not shown to a box`);
  return real;
}

export function readNetworkMode(text: string): Policy['network']['mode'] {
  const mode = networkModes.find((known) => known === text);
  if (mode === undefined)
    throw new UsageError(`--network ${JSON.stringify(text)}: expected ${networkModes.join(', ')}`);
  return mode;
}

export interface Adjustments {
  readonly networkMode?: Policy['network']['mode'];
  readonly wallMs?: number;
  readonly workFolder?: string;
}

/** The policy with what the command line adds to it. It stays a policy: whatever enforces reads nothing else. */
export function adjustPolicy(policy: Policy, { wallMs, workFolder, networkMode }: Adjustments): Policy {
  const view = { path: workFolder ?? '', access: 'execute', why: 'asked for with --workdir' } as const;
  return {
    ...policy,
    files: workFolder === undefined ? policy.files : [...policy.files, view],
    network: networkMode === undefined ? policy.network : { ...policy.network, mode: networkMode },
    limits: wallMs === undefined ? policy.limits : { ...policy.limits, wallMs },
  };
}
