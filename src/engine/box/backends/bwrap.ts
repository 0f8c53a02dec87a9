import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../../base/errors.ts';
import type { Outcome } from '../../../base/outcome.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { runTool } from '../../../base/process.ts';
import { findTool } from '../../host/find-tool.ts';
import { compileBwrap } from '../../policy/compile/bwrap.ts';
import { compileLandlock, type LandlockRuleset } from '../../policy/compile/landlock.ts';
import { bits, rightsOf } from '../../policy/compile/landlock-rights.ts';
import { layOut } from '../../policy/compile/layout.ts';
import { mountPoints } from '../../policy/compile/mount-points.ts';
import { compileMounts } from '../../policy/compile/mounts.ts';
import { airlockTarget, type Place } from '../../policy/compile/place.ts';
import { compileSeccomp } from '../../policy/compile/seccomp.ts';
import { ConfinedBox, type Confinement } from '../box.ts';
import type { BoxBackend, Capabilities } from '../contract.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { makeRuleset } from '../landlock-ruleset.ts';
import { fromChild, type Launched } from '../launched.ts';
import { describeLimits } from '../limits-in-force.ts';
import { interpreter } from '../native-files.ts';
import { measureTree, signalAll } from '../process-tree.ts';
import { composeQuestions } from '../questions.ts';
import { makeMountPoints } from '../root-folder.ts';
import { startProcess } from '../start-process.ts';
import { sharedKernelGaps } from './shared-kernel.ts';

const files = { filter: 3, ruleset: 4 } as const;
/** What mounts cannot take away here is execution. Moving files between folders is refused by any ruleset that does not give it. */
const ruledRights = (abi: number): bigint => bits(['execute', 'refer'], abi);
/** Only what /usr/bin/true needs: mounts of others, which come and go, are left alone. */
const smallRoot = ['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'];
const triedUid = '1879048192';

export const bwrap: BoxBackend = {
  id: 'bwrap',
  title: 'bubblewrap: namespaces made by an unprivileged user, seccomp',
  strength: 50,
  stops: [
    'files outside the policy do not exist',
    'processes of the host are not visible',
    'no network but its own loopback',
    'denied system calls',
    'works without root',
  ],
  cannot: [
    ...sharedKernelGaps,
    {
      id: 'no-exec',
      path: 'files',
      what: 'on a kernel without Landlock, a readable file of the host can also be executed',
      effect: 'open',
    },
    {
      id: 'limits-without-root',
      path: 'limits',
      what: 'without root a watchdog keeps memory, processes and disk, and nothing keeps the cpu share',
      effect: 'open',
    },
    { id: 'cpu-affinity', path: '', what: 'sched_getaffinity tells the real number of cores', effect: 'open' },
  ],

  async check() {
    if (process.platform !== 'linux') return notAvailable('bubblewrap needs Linux');
    const path = await findTool('bwrap');
    return path === null ? notAvailable('bubblewrap is not installed', 'apt-get install bubblewrap') : yes(path);
  },

  async probe(options): Promise<Outcome<Capabilities>> {
    const found = await bwrap.check(options);
    if (found.is !== 'yes') return found;
    const path = found.value;
    const { stdout } = await runTool(path, ['--version']);
    const attempt = [path, '--unshare-all', ...smallRoot, '/usr/bin/true'];
    const isRoot = process.getuid?.() === 0;
    const [file = path, ...args] = isRoot
      ? ['setpriv', '--reuid', triedUid, '--regid', triedUid, '--clear-groups', ...attempt]
      : attempt;
    const tried = await runTool(file, args, { timeoutMs: 10_000 });
    if (tried.code !== 0) {
      const reason = tried.stderr.toString('latin1').trim().split('\n').at(-1) ?? '';
      return notAvailable(
        `an unprivileged user may not make namespaces here: ${reason}`,
        'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), or kernel.unprivileged_userns_clone=1',
      );
    }
    return yes({ version: /(\d\S*)/.exec(stdout.toString())?.[1] ?? 'unknown', notes: [] });
  },

  async create(policy, options) {
    const foundation = await layFoundation(policy, options, {
      hasOwnRoot: true,
      coverable: ['proc', 'sys'],
      users: 'mapped',
      canCopy: true,
      usesCgroup: true,
    });
    return ConfinedBox.open(policy, foundation, () => confine(policy, foundation));
  },
};

/** What may be executed, for the airlock to put on itself. Everything else about files is in the mounts. */
function executeRules(policy: Policy, place: Place): LandlockRuleset | null {
  if (place.landlockAbi === 0) return null;
  const { value: rules } = compileLandlock(policy, place);
  const ruled = ruledRights(rules.abi);
  // All of them: what is above a folder on the host is not above it where a mount puts it.
  const paths = layOut(policy, place)
    .entries.map(({ source, access, type }) => ({ path: source, access: rightsOf(access, type, rules.abi) & ruled }))
    .filter(({ access }) => access !== 0n);
  return { ...rules, handledFs: ruled, handledNet: 0n, scoped: 0n, paths, ports: [] };
}

async function confine(policy: Policy, foundation: Foundation): Promise<Confinement> {
  const { cgroup, place, folder, undo, hooks, network } = foundation;
  const program = await findTool('bwrap');
  if (program === null) throw new HostError('bubblewrap is not installed', { hint: 'apt-get install bubblewrap' });
  makeMountPoints(mountPoints(compileMounts(policy, place).value, place.rootFolder));
  const { value: argv, gaps } = compileBwrap(policy, place, {
    seccompFd: files.filter,
    args: [interpreter, airlockTarget],
    cwd: '/',
    isInNetwork: network !== undefined,
  });
  const filterFile = join(folder, 'filter');
  writeFileSync(
    filterFile,
    compileSeccomp(policy, { architecture: place.architecture, hasNetworkNamespace: true }).value.program,
  );
  const isRoot = process.getuid?.() === 0;
  const rules = executeRules(policy, place);
  return {
    backend: 'bwrap',
    watchedBy: hooks.notifyFilter === undefined ? null : 'notify',
    isOnNetwork: network !== undefined,
    gaps: gaps.filter(({ id }) => id !== 'no-exec' || rules === null),
    limitsInForce: describeLimits(policy.limits, foundation),
    questions: () => composeQuestions(policy, foundation, rules === null ? {} : { landlockFd: files.ruleset }),
    launch(number): Launched {
      const filter = openSync(filterFile, 'r');
      const user = isRoot ? { uid: place.hostUid, gid: place.hostGid } : {};
      const open = [filter, ...(rules === null ? [] : [makeRuleset(rules)])];
      const child = startProcess([program, ...argv], {
        cgroups: cgroup?.openSpawn(number) ?? [],
        files: open,
        network,
        undo,
        ...user,
      });
      open.forEach(closeSync);
      return fromChild(child, {
        pids: () => cgroup?.pids(number) ?? measureTree(child.pid ?? 0).pids,
        signal: (signal) => signalAll(measureTree(child.pid ?? 0).pids.slice(1), signal),
        end: () => {
          child.kill('SIGKILL');
          signalAll(cgroup?.pids(number) ?? [], 'SIGKILL');
        },
      });
    },
  };
}
