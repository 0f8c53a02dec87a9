import type { SensorDescription } from '../contract.ts';
import { witnessSource } from './witness.ts';

export { adoptingHooks } from './adopting-hooks.ts';
export { compareWitnesses, type DeedCounts, DeedTally } from './compare.ts';
export { probeEbpf } from './probe.ts';
export { EbpfWitness, type WitnessOptions, witnessSource } from './witness.ts';

export const ebpf: SensorDescription = {
  id: witnessSource,
  title: 'a second witness: what came of system calls, from a program in the host kernel',
  backends: ['runc', 'docker', 'bwrap', 'landlock'],
  sees: ['fork', 'exec', 'exit', 'open', 'unlink', 'rename', 'connect', 'denied', 'heartbeat'],
  cannot: [
    {
      id: 'losable',
      path: 'syscalls',
      what: 'it holds nobody up: more events than its buffers take are lost, and counted',
      effect: 'open',
    },
    {
      id: 'short-texts',
      path: 'syscalls',
      what: 'a path is cut after 199 bytes and marked, and stays as the program gave it: relative ones are not resolved',
      effect: 'open',
    },
    {
      id: 'changed-arguments',
      path: 'syscalls',
      what: 'arguments are read when a call returns; another thread can have changed them by then',
      effect: 'open',
    },
    {
      id: 'arguments-of-refused-calls',
      path: 'syscalls',
      what: 'of a call that the filter refuses only its name is known; where the answer is "no such call" not even that',
      effect: 'open',
    },
  ],
};
