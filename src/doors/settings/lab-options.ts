import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { secondMs } from '../../base/limits.ts';
import { connectorIds } from '../../engine/connector/contract.ts';
import { type ConfinementWish, type LabOptions, usualFolders } from '../../instruments/lab/options.ts';
import type { Caller } from './definitions.ts';
import { type LabFlagName, type LabFlags, labFlag, labVariable, passphraseVariable } from './lab-flags.ts';
import type { LoadedSettings } from './load.ts';

/** How a lab is set up, from flags and from variables: `--samples-dir` is `HOTCELL_LAB_SAMPLES_DIR`, and a flag wins. */

class Reader {
  readonly #flags: LabFlags;
  readonly #caller: Caller;

  constructor(flags: LabFlags, caller: Caller) {
    this.#flags = flags;
    this.#caller = caller;
  }

  refuse(name: LabFlagName, expected: string, given: string): UsageError {
    return new UsageError(`${labFlag(name)}: expected ${expected}, not ${JSON.stringify(given.slice(0, 100))}`);
  }

  text(name: LabFlagName): string | null {
    const flag = this.#flags[name];
    if (flag === true) return 'true';
    if (typeof flag === 'string') return flag;
    const variable = this.#caller.environment[labVariable(name)];
    return variable === undefined || variable === '' ? null : variable;
  }

  isSet(name: LabFlagName): boolean {
    const text = this.text(name);
    if (text === null || ['false', '0', 'no', 'off'].includes(text)) return false;
    if (['true', '1', 'yes', 'on'].includes(text)) return true;
    throw this.refuse(name, 'true or false', text);
  }

  list(name: LabFlagName): readonly string[] {
    const flag = this.#flags[name];
    if (Array.isArray(flag) && flag.length > 0) return flag as readonly string[];
    const text = typeof flag === 'string' ? flag : this.#caller.environment[labVariable(name)];
    return (text ?? '').split(',').filter((item) => item !== '');
  }

  path(name: LabFlagName): string | null {
    const text = this.text(name);
    return text === null ? null : resolve(this.#caller.folder, text);
  }

  choice<const Choice extends string>(name: LabFlagName, choices: readonly Choice[], usual: Choice): Choice {
    const text = this.text(name);
    if (text === null) return usual;
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    throw this.refuse(name, `one of ${choices.join(', ')}`, text);
  }

  number(name: LabFlagName, least: number, most: number, usual: number): number {
    const text = this.text(name);
    if (text === null) return usual;
    const value = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw this.refuse(name, `a number from ${least} to ${most}`, text);
  }

  /** A name that ends up in a message to another program. */
  word(name: LabFlagName, pattern: RegExp, expected: string): string | null {
    const text = this.text(name);
    if (text === null || pattern.test(text)) return text;
    throw this.refuse(name, expected, text);
  }
}

const sandboxWords: Readonly<Record<string, ConfinementWish>> = {
  true: 'confined',
  on: 'confined',
  paths: 'confined',
  box: 'boxed',
  off: 'plain',
  false: 'plain',
};

function readConfinement(read: Reader): ConfinementWish {
  const text = read.text('sandbox');
  if (text === null) return 'boxed';
  const found = Object.hasOwn(sandboxWords, text) ? sandboxWords[text] : undefined;
  if (found !== undefined) return found;
  throw read.refuse('sandbox', 'on, box or off', text);
}

function folderThere(read: Reader, name: 'samplesDir' | 'outputDir', usual: string): string {
  const text = read.text(name);
  if (text === null) return usual;
  if (text.startsWith('/') && !text.includes('\0') && text.length <= 4096) return text;
  throw read.refuse(name, 'an absolute path', text);
}

/** The folders of REMnux where it is REMnux or another place; otherwise two of our own. */
function usualPlaces(mode: LabOptions['mode'], home: string): { samples: string; output: string } {
  if (mode !== 'local' || existsSync(usualFolders.samples)) return { ...usualFolders };
  return { samples: join(home, 'lab', 'samples'), output: join(home, 'lab', 'output') };
}

/** @throws UsageError */
export function readLabOptions(flags: LabFlags, caller: Caller, settings: LoadedSettings): LabOptions {
  const read = new Reader(flags, caller);
  const { home, backend, runtimeFolder, dockerSocket } = settings.values;
  const mode = read.choice('mode', connectorIds, 'local');
  const confinement = readConfinement(read);
  const usual = usualPlaces(mode, home);
  const ingestRoot = read.path('ingestRoot');
  if (mode !== 'local' && confinement === 'confined' && ingestRoot === null) {
    throw new UsageError(`--sandbox with --mode ${mode} needs --ingest-root`, {
      hint: 'name the folder of this machine that samples may come from',
    });
  }
  const host = read.word('host', /^(?!-)[A-Za-z0-9._:%-]{1,253}$/, 'the name or address of a machine');
  if (mode === 'ssh' && host === null)
    throw new UsageError('--mode ssh needs --host', { hint: 'such as --host 192.168.56.10' });
  const name = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
  return {
    mode,
    confinement,
    container: read.word('container', name, 'the name or id of a container') ?? 'remnux',
    containerUser: read.word('containerUser', /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,63}$/, 'the name of a user'),
    host,
    user: read.word('user', /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/, 'the name of a user') ?? 'remnux',
    port: read.number('port', 1, 65_535, 22),
    password: read.text('password'),
    identityFile: read.path('identity'),
    identityPassphrase: caller.environment[passphraseVariable] ?? null,
    agentSocket: caller.environment.SSH_AUTH_SOCK ?? null,
    knownHostsFile: read.path('knownHosts') ?? join(caller.homeFolder, '.ssh', 'known_hosts'),
    isNewHostAccepted: read.isSet('acceptNew'),
    samplesFolder: folderThere(read, 'samplesDir', usual.samples),
    outputFolder: folderThere(read, 'outputDir', usual.output),
    timeoutMs: Math.round(read.number('timeout', 1, 86_400, 300) * secondMs),
    isShellAllowed: read.isSet('allowShell'),
    ingestRoot,
    rulesFolders: read.list('rules').map((folder) => resolve(caller.folder, folder)),
    allowedHosts: read.list('allowHost'),
    isPrivateRefused: true,
    backend,
    runtimeFolder,
    dockerSocket,
    homeFolder: home,
  };
}
