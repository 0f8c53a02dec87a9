import { HostError } from '../../../base/errors.ts';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { runTool, runToolOrFail } from '../../../base/process.ts';
import { findTool } from '../../host/find-tool.ts';
import { ConfinedBox, type Confinement } from '../box.ts';
import type { BoxBackend } from '../contract.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { beatSignal } from '../heart.ts';
import { fromChild, type Launched } from '../launched.ts';
import { describeLimits } from '../limits-in-force.ts';
import { signalAll } from '../process-tree.ts';
import { composeQuestions } from '../questions.ts';
import { startProcess } from '../start-process.ts';
import { makeRoom } from './gvisor-room.ts';
import { prepareBundles } from './oci.ts';

export const gvisor: BoxBackend = {
  id: 'gvisor',
  title: 'gVisor: a kernel of its own in user space between the target and the host',
  strength: 100,
  stops: [
    'system calls of the target never reach the host kernel directly',
    'files outside the policy do not exist',
    'no network but its own loopback',
    'memory, processes and cpu by control group',
  ],
  cannot: [
    {
      id: 'sentry-bugs',
      path: '',
      what: "an error in gVisor's own kernel, followed by one in the host kernel behind its filter",
      effect: 'open',
    },
    {
      id: 'process-limit',
      path: 'limits.processes',
      what: 'the process limit holds for the whole sandbox, with room for its kernel: a fork bomb ends the box',
      effect: 'open',
    },
    {
      id: 'old-kernel',
      path: '',
      what: 'builds of 2022, as in Debian 12, lack newer calls and flags: `ls` of coreutils 9 fails with "Invalid argument"',
      effect: 'closed',
    },
    { id: 'cpu-count', path: '', what: 'the number of cores is that of the host', effect: 'open' },
  ],

  async check() {
    if (process.platform !== 'linux') return notAvailable('gVisor needs Linux');
    if (process.getuid?.() !== 0)
      return notAvailable('the gvisor backend needs root', 'run as root, or use bwrap or landlock');
    const path = await findTool('runsc');
    return path === null ? notAvailable('runsc is not installed', 'apt-get install runsc') : yes(path);
  },

  async probe(options) {
    const found = await gvisor.check(options);
    if (found.is !== 'yes') return found;
    const { stdout } = await runTool(found.value, ['--version']);
    return yes({ version: /version (\S+)/.exec(stdout.toString())?.[1] ?? 'unknown', notes: [] });
  },

  async create(policy, options) {
    const needs = {
      hasOwnRoot: true,
      coverable: ['sys'],
      users: 'ordinary',
      canCopy: true,
      usesCgroup: true,
      adaptCgroup: makeRoom,
    } as const;
    const foundation = await layFoundation(policy, options, needs);
    return ConfinedBox.open(policy, foundation, () => confine(policy, foundation));
  },
};

async function confine(policy: Policy, foundation: Foundation): Promise<Confinement> {
  const { cgroup, undo, hooks, network } = foundation;
  const program = await findTool('runsc');
  if (program === null) throw new HostError('runsc is not installed', { hint: 'apt-get install runsc' });
  const bundles = prepareBundles(policy, foundation, 'gvisor');
  return {
    backend: 'gvisor',
    watchedBy: hooks.traceSession === undefined ? null : 'trace',
    isOnNetwork: network !== undefined,
    gaps: bundles.gaps,
    limitsInForce: describeLimits(policy.limits, foundation),
    questions: () => composeQuestions(policy, foundation, { isInit: true, isFilterHidden: true }),
    launch(number): Launched {
      const cgroups = cgroup?.openSpawn(number) ?? [];
      const bundle = bundles.write(number, null);
      const flags = [
        '--root',
        bundles.stateFolder,
        network === undefined ? '--network=none' : '--network=host',
        '--ignore-cgroups',
        '--oci-seccomp',
        '--log=/dev/null',
      ];
      const session = hooks.traceSession === undefined ? [] : [`--pod-init-config=${hooks.traceSession}`];
      const name = `${foundation.id}-${number}`;
      const child = startProcess([program, ...flags, ...session, 'run', '--bundle', bundle, name], {
        cgroups,
        undo,
        network,
      });
      // `runsc run` dies of a signal instead of passing it on. Its own socket is an abstract one, so it is only there for
      // those who stand in the same network.
      const join = network === undefined ? [] : ['nsenter', `--net=${network}`, '--'];
      const kill = async (signal: NodeJS.Signals): Promise<void> => {
        const [file = program, ...args] = [...join, program, ...flags, 'kill', name, signal.replace('SIG', '')];
        await runToolOrFail(file, args);
      };
      return fromChild(child, {
        signal: (signal) => void kill(signal).catch(() => undefined),
        beat: () => kill(beatSignal),
        end: () => {
          signalAll(cgroup?.pids(number) ?? [], 'SIGKILL');
          child.kill('SIGKILL');
        },
      });
    },
  };
}
