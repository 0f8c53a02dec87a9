import { runTool } from '../../../base/process.ts';
import type { FetchContext } from './contract.ts';

/** What markers are read for when there is no Python here. */
const assumed = '3.12.0';

/** The version of this machine's Python; `-I` and `/` keep files of a working folder out of it. */
export async function findPythonVersion({ environment, home }: FetchContext): Promise<string> {
  try {
    const path = environment.PATH;
    const options = {
      cwd: '/',
      timeoutMs: 10_000,
      environment: { HOME: home, ...(path === undefined ? {} : { PATH: path }) },
    };
    const { stdout } = await runTool('/usr/bin/env', ['python3', '-I', '--version'], options);
    return /^Python (\d+\.\d+\.\d+)/.exec(stdout.toString('latin1'))?.[1] ?? assumed;
  } catch {
    return assumed;
  }
}
