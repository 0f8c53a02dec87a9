import type { Event, EventKind } from '../../../../src/base/event-schema.ts';
import type { BackendId } from '../../../../src/engine/box/contract.ts';
import type { SensorId } from '../../../../src/engine/sensor/contract.ts';

/** What a known program does, and what is known about the sensor that looked at it. */

export type Json = Event['fields'][string];

/** Every field that is named must be there and be one of the values. */
export type FieldSet = Readonly<Record<string, readonly Json[]>>;

export interface Expectation {
  /** The number of the action in the program; one action may cause several events. */
  readonly number: number;
  readonly what: string;
  /** The process that does it. */
  readonly role: string;
  readonly kind: EventKind;
  /** The system call it is made with, for what a policy refuses by name. */
  readonly call: string;
  readonly fields: FieldSet;
  /** Its parent has ended by now; a sensor may name the one who adopted it. */
  readonly isOrphaned?: true;
}

export interface Programme {
  /** Folder in which every process first opens `role-NAME`. */
  readonly scratch: string;
  /** The parent of every role; null for the first process, whose parent is none of the program's business. */
  readonly parents: Readonly<Record<string, string | null>>;
  /** In the order in which each process does them. */
  readonly expectations: readonly Expectation[];
}

export interface Facts {
  readonly sensor: SensorId;
  readonly backend: BackendId;
  /** The pids that the program itself saw. */
  readonly pids?: Readonly<Record<string, number>>;
  /** Calls that the box's own filter answers; see `deniedCalls`. */
  readonly denied?: ReadonlySet<string>;
  /** Actions that could not happen in this run, by number, with the reason. */
  readonly excused?: Readonly<Record<number, string>>;
}
