import { HostError } from '../../../base/errors.ts';
import { runTool } from '../../../base/process.ts';
import type { FetchContext } from './contract.ts';

/** pip knows where it goes when nothing is set, and says so in its help. */
export function indexInHelp(help: string): string | undefined {
  const joined = help.replace(/\s+/g, ' ');
  return /--index-url <url>[^(]*\(default (https?:\/\/[^\s)]+)\)/.exec(joined)?.[1];
}

/** Asked with `-I`, so that nothing in a working folder is taken for pip. */
export async function askPipForIndex({ environment, home }: FetchContext): Promise<string> {
  const path = environment.PATH;
  for (const python of ['python3', 'python']) {
    try {
      const options = {
        cwd: '/',
        timeoutMs: 20_000,
        environment: { HOME: home, ...(path === undefined ? {} : { PATH: path }) },
      };
      const { stdout } = await runTool('/usr/bin/env', [python, '-I', '-m', 'pip', 'install', '--help'], options);
      const found = indexInHelp(stdout.toString('utf8'));
      if (found !== undefined) return found;
    } catch {
      // Not this one.
    }
  }
  throw new HostError('no package index for Python: pip is not here to say its own, and none is set', {
    hint: 'set PIP_INDEX_URL, or index-url in pip.conf',
  });
}
