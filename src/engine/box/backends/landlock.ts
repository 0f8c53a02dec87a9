import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notAvailable, yes } from '../../../base/outcome.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import { findLandlockAbi } from '../../host/landlock-abi.ts';
import { compileLandlock, type LandlockRuleset } from '../../policy/compile/landlock.ts';
import { compileSeccomp } from '../../policy/compile/seccomp.ts';
import type { Gap } from '../../policy/gap.ts';
import { ConfinedBox, type Confinement } from '../box.ts';
import type { BoxBackend } from '../contract.ts';
import { type Foundation, layFoundation } from '../foundation.ts';
import { makeRuleset } from '../landlock-ruleset.ts';
import { fromChild, type Launched } from '../launched.ts';
import { describeLimits } from '../limits-in-force.ts';
import { interpreter } from '../native-files.ts';
import { measureTree, signalAll } from '../process-tree.ts';
import { composeQuestions } from '../questions.ts';
import { startProcess } from '../start-process.ts';
import { sharedKernelGaps } from './shared-kernel.ts';

/** The first ABI that also keeps signals and abstract sockets inside the box. */
const neededAbi = 6;
const sameUserGap: Gap = {
  id: 'same-user',
  path: 'files',
  what: 'changing mode, owner and attributes of a file by its name is refused: the files of the user would be within reach',
  effect: 'closed',
};
/** Gaps that a control group closes. */
const closedByCgroup: readonly string[] = ['cpu-share', 'memory-together', 'processes'];
const files = { ruleset: 3, filter: 4 } as const;

export const landlock: BoxBackend = {
  id: 'landlock',
  title: 'Landlock, seccomp and rlimits: no root, no namespaces, no packages',
  strength: 30,
  stops: [
    'files outside the policy cannot be opened',
    'no sockets but pairs of its own',
    'no signals to processes outside, no look into them',
    'denied system calls',
    'works without root and without any package',
  ],
  cannot: [
    ...sharedKernelGaps,
    {
      id: 'names-visible',
      path: 'files',
      what: 'that a file or a process exists, with size, owner and times, can be found out where file permissions let it',
      effect: 'open',
    },
    { id: 'identity', path: '', what: 'host name, kernel and /etc files are those of the host', effect: 'open' },
    {
      id: 'limits-without-root',
      path: 'limits',
      what: 'without root a watchdog keeps memory, processes and disk, and nothing keeps the cpu share',
      effect: 'open',
    },
  ],

  async check() {
    if (process.platform !== 'linux') return notAvailable('Landlock needs Linux');
    const abi = findLandlockAbi();
    if (abi === 0)
      return notAvailable(
        'this kernel has no Landlock, or has it switched off',
        'boot with lsm=landlock,… on the kernel command line',
      );
    if (abi < neededAbi)
      return notAvailable(
        `Landlock ABI ${abi} does not keep signals and abstract sockets inside a box; ABI ${neededAbi} does`,
        'use a kernel of 6.12 or later',
      );
    return yes(`ABI ${abi}`);
  },

  async probe(options) {
    const found = await landlock.check(options);
    return found.is === 'yes' ? yes({ version: found.value, notes: [] }) : found;
  },

  async create(policy, options) {
    const foundation = await layFoundation(policy, options, {
      hasOwnRoot: false,
      coverable: [],
      users: 'unique',
      canCopy: false,
      usesCgroup: true,
    });
    return ConfinedBox.open(policy, foundation, () => confine(policy, foundation));
  },
};

/** Who is who on this host: readable by everybody, and programs stop when they cannot find their own name. */
const nameFiles = ['/etc/passwd', '/etc/group', '/etc/hosts'] as const;
const readFileRight = 4n;

function withNames(rules: LandlockRuleset): LandlockRuleset {
  const paths = nameFiles.filter((path) => existsSync(path)).map((path) => ({ path, access: readFileRight }));
  return { ...rules, paths: [...rules.paths, ...paths] };
}

/** Without a network of its own a box has none at all, whatever the policy asks for. */
function closeNetwork(policy: Policy): { closed: Policy; gaps: readonly Gap[] } {
  if (policy.network.mode === 'none') return { closed: policy, gaps: [] };
  const what = 'the network is closed: a box without a network namespace has no place to put a gate or a fake internet';
  return {
    closed: { ...policy, network: { mode: 'none', rules: [] } },
    gaps: [{ id: 'network-closed', path: 'network', what, effect: 'closed' }],
  };
}

function confine(asked: Policy, foundation: Foundation): Confinement {
  const { cgroup, place, folder, undo, hooks } = foundation;
  const { closed: policy, gaps: networkGaps } = closeNetwork(asked);
  const isRoot = process.getuid?.() === 0;
  const { value: rules, gaps } = compileLandlock(policy, place);
  const filterFile = join(folder, 'filter');
  writeFileSync(
    filterFile,
    compileSeccomp(policy, { architecture: place.architecture, hasNetworkNamespace: false, sharesUser: !isRoot }).value
      .program,
  );
  return {
    backend: 'landlock',
    watchedBy: hooks.notifyFilter === undefined ? null : 'notify',
    isOnNetwork: false,
    gaps: [
      ...networkGaps,
      ...(isRoot ? [] : [sameUserGap]),
      ...gaps.filter(({ id }) => cgroup === null || !closedByCgroup.includes(id)),
    ],
    limitsInForce: describeLimits(policy.limits, foundation),
    questions: () =>
      composeQuestions(policy, foundation, {
        sharedNamespaces: ['pid', 'mnt', 'net', 'ipc', 'uts', 'user'],
        signalPid: process.pid,
        // The user was made for this box, so the count is the box's own.
        ...(isRoot ? { processLimit: policy.limits.processes } : { dataLimit: policy.limits.memoryBytes }),
      }),
    launch(number): Launched {
      const ruleset = makeRuleset(withNames(rules));
      const filter = openSync(filterFile, 'r');
      const user = isRoot ? { uid: place.hostUid, gid: place.hostGid } : {};
      const child = startProcess([interpreter, place.airlock.script], {
        cgroups: cgroup?.openSpawn(number) ?? [],
        files: [ruleset, filter],
        landlockFd: files.ruleset,
        seccompFd: files.filter,
        isNanny: true,
        isInline: true,
        undo,
        ...user,
      });
      closeSync(ruleset);
      closeSync(filter);
      return fromChild(child, {
        pids: () => cgroup?.pids(number) ?? measureTree(child.pid ?? 0).pids,
        signal: (signal) => signalAll(measureTree(child.pid ?? 0).pids, signal),
        end: () => {
          signalAll(cgroup?.pids(number) ?? [], 'SIGKILL');
          child.kill('SIGTERM');
        },
      });
    },
  };
}
