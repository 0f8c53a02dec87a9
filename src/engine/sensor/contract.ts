import type { Completeness, EventKind, Observation } from '../../base/event-schema.ts';
import type { BackendId, BoxHooks } from '../box/contract.ts';
import type { Gap } from '../policy/gap.ts';

/** A sensor watches one box from before its target's first instruction to after its last. */

export const sensorIds = ['gvisor-trace', 'seccomp-notify', 'disk-diff', 'wire', 'tap', 'ebpf'] as const;
export type SensorId = (typeof sensorIds)[number];

/** What a sensor saw and when; the run knows in which phase and during which call that was. */
export type Sighting = Omit<Observation, 'phase' | 'call' | 'at' | 'source'> & {
  readonly at: NonNullable<Observation['at']>;
};

/** Takes sightings in order. The sensor, and with it the target, is held up until the promise resolves. */
export type SightingSink = (sightings: readonly Sighting[]) => void | Promise<void>;

export interface SensorOptions {
  /** A folder of the run that only we can enter; sockets and session files go there. */
  readonly folder: string;
  readonly onSightings: SightingSink;
}

/** A sensor at work. Close it after the box: what was still under way is handed over first. */
export interface OpenSensor {
  /** What the box has to do for it while it is being made. */
  readonly hooks: BoxHooks;
  close(): Promise<Completeness>;
}

/** What the reference says of a sensor. */
export interface SensorDescription {
  readonly id: SensorId;
  readonly title: string;
  /** Empty: all of them. */
  readonly backends: readonly BackendId[];
  readonly sees: readonly EventKind[];
  /** What it does not see. */
  readonly cannot: readonly Gap[];
}

/** A sensor that looks at the system calls of a box. */
export interface SystemCallSensor extends SensorDescription {
  open(options: SensorOptions): Promise<OpenSensor>;
}
