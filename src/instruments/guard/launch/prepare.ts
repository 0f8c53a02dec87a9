import { UsageError } from '../../../base/errors.ts';
import type { StartedTarget } from '../../../targets/ingest/target/contract.ts';
import { describeTarget } from '../../../targets/ingest/target/parse.ts';
import { type Asked, isPackage, readLaunch } from './asked.ts';
import type { Prepared, PrepareOptions } from './contract.ts';
import { prepareDirect } from './direct.ts';
import { inProject, isUvRun } from './uv-run.ts';

/** Launchers that fetch and install what they start. Others start what is there. */
const installers = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bunx', 'bun', 'uvx', 'uv', 'pipx']);

function isInstalled({ launcher, words }: Asked, starts: StartedTarget): boolean {
  if (!installers.has(launcher)) return false;
  if (isPackage(starts)) return true;
  // `npx ./folder`, `uvx --from ./folder`; but `npm start` and `bun server.js` start what is there.
  if (launcher === 'npx' || launcher === 'uvx' || launcher === 'pipx' || launcher === 'bunx' || launcher === 'pnpx')
    return true;
  return launcher !== 'uv' && words.some((word) => word === 'exec' || word === 'x' || word === 'dlx');
}

/** `env A=1` stays in front of what is started; it is a program of the system. */
function withEnv(asked: Asked): Asked {
  return asked.variables.length === 0 ? asked : { ...asked, variables: ['/usr/bin/env', ...asked.variables] };
}

/**
 * What a launch command starts, ready for a box. Whatever a package manager would fetch is fetched, verified and installed
 * the first time and remembered by its hash; from then on no network is asked.
 */
export async function prepareServer(argv: readonly string[], options: PrepareOptions): Promise<Prepared> {
  options.signal?.throwIfAborted();
  const asked = withEnv(readLaunch(argv, options.fetch));
  const { target, launcher } = asked;
  if (target === null) return prepareDirect(asked, options);
  const { starts, besides } = target;
  if (starts.kind === 'image' || starts.kind === 'remote') {
    throw new UsageError(`${describeTarget(starts)} cannot be started in a box`);
  }
  // Fetching and installing is a lot of code, which servers that lie there do not wait for.
  const installed = async (): Promise<Prepared> => {
    const { prepareInstalled } = await import('./installed.ts');
    return prepareInstalled({ asked, starts, besides, argv }, options);
  };
  if (isUvRun(asked) && !isPackage(starts)) {
    const direct = inProject(asked, starts, options.fetch);
    if (direct !== null) return prepareDirect(direct, options);
    return installed();
  }
  if (isInstalled(asked, starts)) return installed();
  if (isPackage(starts)) {
    throw new UsageError(`${launcher} fetches ${describeTarget(starts)} while it starts, which a box does not let it`, {
      hint: starts.kind === 'npm' ? `npx -y ${describeTarget(starts).slice('npm:'.length)}` : 'use npx or uvx',
    });
  }
  return prepareDirect(asked, options);
}
