import { notAvailable, yes } from '../../../base/outcome.ts';
import { runTool } from '../../../base/process.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { HostProbe } from '../contract.ts';
import { findTool } from '../find-tool.ts';

const nobody = '65534';

/** A user namespace is only worth something with capabilities in it: the mount namespace proves that it has them. */
const attempt = ['unshare', '--user', '--map-root-user', '--mount', '--net', 'true'] as const;

/** Root may always: the question is asked as somebody without rights. */
function asUnprivileged(argv: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return argv;
  return ['setpriv', '--reuid', nobody, '--regid', nobody, '--clear-groups', ...argv];
}

export const userNamespaces: HostProbe = {
  id: 'user-namespaces',
  title: 'unprivileged user namespaces',
  usedFor: 'bwrap and rootless containers for users other than root',
  async ask() {
    const [file = '', ...args] = asUnprivileged(attempt);
    if ((await findTool('unshare')) === null || (await findTool(file)) === null) {
      return notAvailable(`cannot be tried without ${file}`, 'apt-get install util-linux');
    }
    const result = await runTool(file, args, { timeoutMs: 10_000, cwd: '/' });
    if (result.code === 0) {
      return yes({ summary: 'a user without rights can make one', details: { triedAs: 'an unprivileged user' } });
    }
    const said = forTerminal(untrusted(result.stderr.subarray(0, 300))).replace(/\\x0a$/, '');
    return notAvailable(
      `making one as an unprivileged user failed: ${said || `ended with ${result.code ?? result.signal}`}`,
      'sysctl -w user.max_user_namespaces=10000, and see the AppArmor line',
    );
  },
};
