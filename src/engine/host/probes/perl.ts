import { notAvailable, yes } from '../../../base/outcome.ts';
import { runTool } from '../../../base/process.ts';
import type { HostProbe } from '../contract.ts';
import { findTool } from '../find-tool.ts';

/** The airlock, which proves a box from inside, is written in Perl: it starts in milliseconds and makes system calls. */
export const perl: HostProbe = {
  id: 'perl',
  title: 'Perl, interpreter of the airlock',
  usedFor: 'the self-check inside every box',
  async ask() {
    const path = await findTool('perl');
    if (path === null) return notAvailable('there is no perl', 'apt-get install perl-base');
    const result = await runTool(path, ['-e', 'printf "%vd", $^V'], { timeoutMs: 10_000 });
    const version = result.stdout.toString('latin1').replace(/[^0-9.]/g, '');
    if (result.code !== 0 || version === '')
      return notAvailable(`${path} does not run`, 'apt-get install --reinstall perl-base');
    return yes({ summary: `${path}, ${version}`, details: { path, version } });
  },
};
