import { HostError } from '../../../base/errors.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { runTool } from '../../../base/process.ts';
import { findTool } from '../../host/find-tool.ts';
import { ConfinedBox, type Confinement } from '../box.ts';
import type { BoxBackend } from '../contract.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { fromChild, type Launched } from '../launched.ts';
import { describeLimits } from '../limits-in-force.ts';
import { measureTree, signalAll } from '../process-tree.ts';
import { composeQuestions } from '../questions.ts';
import { startProcess } from '../start-process.ts';
import { prepareBundles } from './oci.ts';
import { sharedKernelGaps } from './shared-kernel.ts';

export const runc: BoxBackend = {
  id: 'runc',
  title: 'runc: namespaces, a user of its own, seccomp, control groups',
  strength: 60,
  stops: [
    'files outside the policy do not exist',
    'processes of the host are not visible',
    'no network but its own loopback',
    'denied system calls',
    'memory, processes and cpu by control group',
  ],
  cannot: [
    ...sharedKernelGaps,
    { id: 'cpu-affinity', path: '', what: 'sched_getaffinity tells the real number of cores', effect: 'open' },
  ],

  async check() {
    if (process.platform !== 'linux') return notAvailable('runc needs Linux');
    if (process.getuid?.() !== 0)
      return notAvailable('the runc backend needs root', 'run as root, or use bwrap or landlock');
    const path = await findTool('runc');
    return path === null ? notAvailable('runc is not installed', 'apt-get install runc') : yes(path);
  },

  async probe(options) {
    const found = await runc.check(options);
    if (found.is !== 'yes') return found;
    const { stdout } = await runTool(found.value, ['--version']);
    return yes({ version: /version (\S+)/.exec(stdout.toString())?.[1] ?? 'unknown', notes: [] });
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

async function confine(policy: Policy, foundation: Foundation): Promise<Confinement> {
  const { cgroup, undo, hooks, network } = foundation;
  const program = await findTool('runc');
  if (program === null) throw new HostError('runc is not installed', { hint: 'apt-get install runc' });
  const bundles = prepareBundles(policy, foundation, 'runc');
  return {
    backend: 'runc',
    watchedBy: hooks.notifyFilter === undefined ? null : 'notify',
    isOnNetwork: network !== undefined,
    gaps: bundles.gaps,
    limitsInForce: describeLimits(policy.limits, foundation),
    questions: () => composeQuestions(policy, foundation, { isInit: true }),
    launch(number): Launched {
      const bundle = bundles.write(number, cgroup?.ociPath(number) ?? null);
      const child = startProcess(
        [
          program,
          '--root',
          bundles.stateFolder,
          '--log',
          '/dev/null',
          'run',
          // The group of the container stays, so that what the kernel counted in it can be read.
          '--keep',
          '--bundle',
          bundle,
          `${foundation.id}-${number}`,
        ],
        { undo },
      );
      return fromChild(child, {
        signal: (signal) => child.kill(signal),
        pids: () => cgroup?.pids(number) ?? measureTree(child.pid ?? 0).pids,
        end: () => {
          // The runtime itself stays alive to tidy up after its container.
          signalAll(cgroup?.pids(number) ?? [], 'SIGKILL');
          if (cgroup === null) child.kill('SIGKILL');
        },
      });
    },
  };
}
