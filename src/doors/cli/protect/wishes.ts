import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../base/errors.ts';
import { guardModes } from '../../../instruments/guard/contract.ts';
import type { WrapOptions } from '../../../instruments/guard/protect/index.ts';
import { isGuardProgram } from '../../../instruments/guard/protect/index.ts';
import { flagName, settingKeys } from '../../settings/index.ts';
import type { Door } from '../definition.ts';

export interface ProtectWishes {
  readonly client: readonly string[];
  readonly file: readonly string[];
  readonly server: readonly string[];
  readonly mode?: string | undefined;
  readonly allowWrite: readonly string[];
  readonly program?: string | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly undo: boolean;
  readonly force: boolean;
  readonly json: boolean;
}

/** It lies four folders up, both in src and in dist. */
const ownProgram = fileURLToPath(new URL('../../../../bin/hotcell', import.meta.url));

function expand(path: string, { caller }: Door): string {
  return path.startsWith('~/') ? resolve(caller.homeFolder, path.slice(2)) : resolve(caller.folder, path);
}

/** @throws UsageError for wishes that do not go together. */
export function checkWishes(wishes: ProtectWishes): void {
  const { undo, force, mode, program, allowWrite } = wishes;
  if (force && !undo) throw new UsageError('--force is for --undo');
  if (undo && (mode !== undefined || program !== undefined || allowWrite.length > 0)) {
    throw new UsageError('--mode, --program and --allow-write say how to protect, not how to undo');
  }
  if (force && wishes.server.length > 0) throw new UsageError('--force is for whole files: leave out --server');
  if (mode !== undefined && !(guardModes as readonly string[]).includes(mode)) {
    throw new UsageError(`--mode ${mode}: it is ${guardModes.join(', ')}`);
  }
}

/** What was said on this command line is said on those of the servers too. */
function repeatSettings({ settings }: Door): readonly string[] {
  return settingKeys
    .filter((key) => key !== 'policy' && key !== 'color' && settings.origins[key].kind === 'flag')
    .flatMap((key) => [flagName(key), settings.values[key]]);
}

export function readWrapOptions(wishes: ProtectWishes, door: Door): WrapOptions {
  const program = wishes.program === undefined ? ownProgram : expand(wishes.program, door);
  if (!existsSync(program)) throw new UsageError(`--program ${program}: there is no such file`);
  if (!isGuardProgram(program)) throw new UsageError(`--program ${program}: it has to be called hotcell`);
  const { values, origins } = door.settings;
  const settings = repeatSettings(door);
  return {
    program,
    exists: existsSync,
    ...(origins.policy.kind === 'flag' ? { policy: values.policy } : {}),
    ...(wishes.mode === undefined ? {} : { mode: wishes.mode }),
    ...(settings.length === 0 ? {} : { settings }),
    ...(wishes.server.length === 0 ? {} : { servers: wishes.server }),
    writable: wishes.allowWrite.map((path) => expand(path, door)),
  };
}

export function givenFiles(wishes: ProtectWishes, door: Door): readonly string[] {
  return wishes.file.map((path) => expand(path, door));
}
