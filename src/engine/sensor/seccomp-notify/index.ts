import type { Completeness } from '../../../base/event-schema.ts';
import { hostArchitecture } from '../../../base/ffi.ts';
import type { OpenSensor, SensorOptions, SystemCallSensor } from '../contract.ts';
import { compileNotifyFilter } from './filter.ts';
import { type WatcherEnd, WatcherThread } from './watcher-thread.ts';

/** The sensor for boxes on the host's own kernel: it is told of a call before it happens, and the caller waits for it. */

const source = 'seccomp-notify';

function completenessOf({ counts, taken, sightings, diedAtMs }: WatcherEnd): Completeness {
  const outlived = counts?.outlived ?? 0;
  return {
    source,
    // The airlock waits until its listener is taken, and only then becomes the target.
    attachedBeforeExec: taken > 0,
    received: sightings.received,
    dropped: counts?.lost ?? 0,
    merged: 0,
    truncated: sightings.truncated,
    missingPoints: outlived > 0 ? ['calls of processes that outlived the sensor'] : [],
    heartbeats: { expected: 0, seen: sightings.heartbeats },
    ...(diedAtMs === null ? {} : { diedAt: new Date(diedAtMs).toISOString() }),
  };
}

async function open({ onSightings }: SensorOptions): Promise<OpenSensor> {
  const thread = await WatcherThread.start(onSightings);
  return {
    hooks: {
      notifyFilter: compileNotifyFilter(hostArchitecture()),
      takeListener: (listener) => thread.listen(listener),
    },
    close: async () => completenessOf(await thread.stop()),
  };
}

export const seccompNotify: SystemCallSensor = {
  id: source,
  title: 'system calls, reported by the host kernel before they happen',
  backends: ['runc', 'docker', 'bwrap', 'landlock'],
  sees: [
    'fork',
    'exec',
    'exit',
    'open',
    'unlink',
    'rename',
    'link',
    'chmod',
    'mkdir',
    'connect',
    'bind',
    'listen',
    'send-to',
    'ptrace',
    'memfd',
    'set-user',
    'kernel',
    'heartbeat',
  ],
  cannot: [
    {
      id: 'refused-calls',
      path: 'syscalls',
      what: "calls that the policy's filter refuses never reach this one, and are not reported",
      effect: 'open',
    },
    {
      id: 'outcome',
      path: 'syscalls',
      what: 'a call is reported before it happens; except for exec and exit its outcome is not known',
      effect: 'open',
    },
    {
      id: 'changed-arguments',
      path: 'syscalls',
      what: 'another thread can change an argument in memory after it was read; nothing is enforced by what was read',
      effect: 'open',
    },
    {
      id: 'calls-without-calls',
      path: 'syscalls',
      what: 'work handed to io_uring is not reported, only that it was set up; reading and writing open files is not',
      effect: 'open',
    },
    {
      id: 'orphans-of-killed-parents',
      path: 'syscalls',
      what: 'a process whose parent is killed before it does anything that is reported is shown below a later parent',
      effect: 'open',
    },
    {
      id: 'foreign-interface',
      path: 'syscalls',
      what: 'calls through the interface of another architecture are not reported; the filter of the policy ends them',
      effect: 'open',
    },
  ],
  open,
};
