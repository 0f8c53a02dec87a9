import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { describeError, HostError } from '../../../base/errors.ts';
import { secondMs } from '../../../base/limits.ts';
import { type FetchContext, limitsOf } from './contract.ts';

/** npm's own settings, read by npm's own reader: registries, scopes, proxies, certificates, credentials. */
export type NpmSettings = Readonly<Record<string, unknown>>;

/** The npm of the user decides where the settings of the whole machine are. */
function findNpm(path: string | undefined): { readonly npmPath: string; readonly execPath: string } | undefined {
  const folder = path?.split(delimiter).find((one) => one.startsWith('/') && existsSync(join(one, 'npm')));
  if (folder === undefined) return undefined;
  const node = join(folder, 'node');
  try {
    const npmPath = dirname(dirname(realpathSync(join(folder, 'npm'))));
    return { npmPath, execPath: existsSync(node) ? node : process.execPath };
  } catch {
    return undefined;
  }
}

/** npm looks for a project from here upwards, so a folder inside the target would lead to the target's own settings. */
function settingsFolder({ cwd, home, targetFolder }: FetchContext): string {
  if (targetFolder === undefined) return cwd;
  const way = relative(realFolder(targetFolder), realFolder(cwd));
  return way === '' || !(way.startsWith('..') || isAbsolute(way)) ? home : cwd;
}

function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export async function readNpmSettings(context: FetchContext): Promise<NpmSettings> {
  const { default: Config } = await import('@npmcli/config');
  const { default: known } = await import('@npmcli/config/lib/definitions/index.js');
  const npm = findNpm(context.environment.PATH);
  const config = new Config({
    ...known,
    npmPath: npm?.npmPath ?? context.cacheFolder,
    execPath: npm?.execPath ?? process.execPath,
    // The reader writes into what it is given.
    env: { ...context.environment, HOME: context.home },
    argv: ['node', 'npm'],
    platform: process.platform,
    cwd: settingsFolder(context),
  });
  try {
    await config.load();
  } catch (cause) {
    throw new HostError(`cannot read the settings of npm: ${describeError(cause)}`, {
      cause,
      hint: 'npm config list shows which file is wrong',
    });
  }
  return {
    ...config.flat,
    cache: join(context.cacheFolder, 'npm'),
    offline: context.isOffline,
    ignoreScripts: true,
    // A registry that does not answer is an outcome to report, not something to wait minutes for.
    retry: { retries: 1, factor: 2, minTimeout: secondMs, maxTimeout: 5 * secondMs },
    timeout: Math.min(60 * secondMs, limitsOf(context).timeoutMs),
  };
}
