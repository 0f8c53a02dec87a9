import { HostError } from '../../base/errors.ts';
import { minuteMs } from '../../base/limits.ts';
import { type RunOptions, runTool } from '../../base/process.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { findTool } from './find-tool.ts';

/** Installing Debian packages: what would be run is known, and can be shown, before anything runs. */

export interface AptPlan {
  readonly packages: readonly string[];
  /** Two command lines, to be run in this order. */
  readonly commands: readonly (readonly string[])[];
}

export function planInstall(packages: readonly string[]): AptPlan {
  const wanted = [...new Set(packages)].sort();
  const commands = [
    ['apt-get', 'update'],
    ['apt-get', 'install', '--yes', '--no-install-recommends', ...wanted],
  ];
  return { packages: wanted, commands: wanted.length === 0 ? [] : commands };
}

/** Null when packages can be installed by this process, else the reason why not. */
export async function whyNotInstall(): Promise<string | null> {
  if ((await findTool('apt-get')) === null) return 'there is no apt-get on this machine';
  return process.getuid?.() === 0 ? null : 'only root can install packages';
}

/** Output of `apt-cache policy`: packages that have something to install. */
export function parseCandidates(text: string): readonly string[] {
  const found: string[] = [];
  let name = '';
  for (const line of text.split('\n')) {
    const heading = /^(\S+):$/.exec(line)?.[1];
    if (heading !== undefined) name = heading;
    const candidate = /^ {2}Candidate: (.+)$/.exec(line)?.[1];
    if (candidate !== undefined && candidate !== '(none)') found.push(name);
  }
  return found;
}

/** A proxy may be the only way to a mirror, so these four are handed on; nothing else of the caller's environment is. */
function aptEnvironment(): Readonly<Record<string, string>> {
  const handedOn = ['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'].flatMap((name) => {
    const value = process.env[name] ?? process.env[name.toUpperCase()];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { DEBIAN_FRONTEND: 'noninteractive', ...Object.fromEntries(handedOn) };
}

async function run(argv: readonly string[], options: RunOptions): Promise<string> {
  const [file = '', ...args] = argv;
  const result = await runTool(file, args, { ...options, environment: aptEnvironment() });
  if (result.code === 0) return result.stdout.toString('utf8');
  const how = result.hasTimedOut ? 'did not end in time' : `ended with ${result.code ?? result.signal}`;
  const tail = forTerminal(untrusted(result.stderr.subarray(-600)), { keepLines: true });
  throw new HostError(`${argv.slice(0, 2).join(' ')} ${how}: ${tail}`);
}

export interface Installed {
  readonly installed: readonly string[];
  /** Packages that no configured source has. */
  readonly unknown: readonly string[];
}

/** Installs what apt has of these. A package that no source knows does not keep the others from being installed. */
export async function installPackages(
  packages: readonly string[],
  timeoutMs: number = 10 * minuteMs,
): Promise<Installed> {
  const plan = planInstall(packages);
  const [update] = plan.commands;
  if (update === undefined) return { installed: [], unknown: [] };
  await run(update, { timeoutMs });
  const known = parseCandidates(await run(['apt-cache', 'policy', ...plan.packages], { timeoutMs }));
  const installed = plan.packages.filter((name) => known.includes(name));
  const unknown = plan.packages.filter((name) => !known.includes(name));
  const [, install] = planInstall(installed).commands;
  if (install !== undefined) await run(install, { timeoutMs });
  return { installed, unknown };
}
