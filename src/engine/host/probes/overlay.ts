import { notAvailable, yes } from '../../../base/outcome.ts';
import { runTool } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { HostProbe } from '../contract.ts';
import { findTool } from '../find-tool.ts';

/** Everything happens in a mount namespace that ends with the command: the host sees none of these mounts. */
const script = [
  'mount -t tmpfs none /tmp',
  'mkdir /tmp/lower /tmp/upper /tmp/work /tmp/all',
  'echo below >/tmp/lower/file',
  'mount -t overlay none -o "lowerdir=/tmp/lower,upperdir=/tmp/upper,workdir=/tmp/work" /tmp/all',
  'echo above >/tmp/all/file',
  'read -r kept </tmp/lower/file',
  'test "$kept" = below',
].join(' && ');

export const overlay: HostProbe = {
  id: 'overlay',
  title: 'overlay file system',
  usedFor: 'writes that land beside the original',
  async ask() {
    if ((await findTool('unshare')) === null)
      return notAvailable('cannot be tried without unshare', 'apt-get install util-linux');
    const isRoot = process.getuid?.() === 0;
    const namespaces = isRoot ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
    const result = await runTool('unshare', [...namespaces, 'sh', '-c', script], { timeoutMs: 10_000, cwd: '/' });
    if (result.code === 0) {
      return yes({ summary: 'an overlay was mounted, written and thrown away', details: { triedAsRoot: isRoot } });
    }
    const said = forTerminal(untrusted(result.stderr.subarray(0, 300))).replace(/\\x0a$/, '');
    return notAvailable(`mounting one failed: ${said || `ended with ${result.code ?? result.signal}`}`);
  },
};
