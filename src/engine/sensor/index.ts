import type { SensorDescription, SystemCallSensor } from './contract.ts';
import { diskDiff } from './disk-diff.ts';
import { ebpf } from './ebpf/index.ts';
import { gvisorTrace } from './gvisor-trace/index.ts';
import { seccompNotify } from './seccomp-notify/index.ts';
import { tap } from './tap.ts';
import { wire } from './wire.ts';

/** The first that watches a box's backend is the one that watches the box. */
export const systemCallSensors: readonly SystemCallSensor[] = [gvisorTrace, seccompNotify];

/** All sensors, for the reference. */
export const sensorDescriptions: readonly SensorDescription[] = [...systemCallSensors, ebpf, diskDiff, wire, tap];
