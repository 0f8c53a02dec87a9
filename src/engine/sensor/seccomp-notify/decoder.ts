import type { Event, EventProcess } from '../../../base/event-schema.ts';
import type { Sighting } from '../contract.ts';
import { HeartbeatSpotter, heartbeatPath } from '../heartbeat.ts';
import { type WatchedCall, watchedCalls } from './calls.ts';
import { endFields } from './ending.ts';
import { labelOf, nameOf, splitArguments } from './label.ts';
import { byNumber } from './numbers.ts';
import { RawCall } from './raw-call.ts';
import { RecordReader, recordTypes, states } from './record.ts';

/** Makes sightings of what the serving thread has written down. */

const outcomes: Readonly<Record<number, NonNullable<Event['outcome']>>> = {
  [states.invalid]: 'unknown',
  [states.succeeded]: 'ok',
  [states.failed]: 'failed',
  [states.unknown]: 'unknown',
};

const noBytes = Buffer.alloc(0);
const heartbeatStart = Buffer.from(heartbeatPath({ nonce: '', number: 0 })).subarray(0, 8);

/** Almost no path is, and most differ in their second byte. */
function maybeHeartbeat(path: Uint8Array): boolean {
  for (let at = 0; at < heartbeatStart.length; at += 1) if (path[at] !== heartbeatStart[at]) return false;
  return true;
}

export class Decoder {
  readonly #calls = byNumber<WatchedCall>(watchedCalls);
  readonly #labels = new Map<number, EventProcess>();
  readonly #spotter = new HeartbeatSpotter();
  #wall = { milliseconds: -1, text: '' };
  #received = 0;
  #truncated = 0;
  #heartbeats = 0;

  get counts(): { readonly received: number; readonly truncated: number; readonly heartbeats: number } {
    return { received: this.#received, truncated: this.#truncated, heartbeats: this.#heartbeats };
  }

  decode(chunk: Uint8Array): Sighting[] {
    const sightings: Sighting[] = [];
    const record = new RecordReader(chunk);
    while (record.next()) {
      if (record.type === recordTypes.met) sightings.push(this.#meet(record));
      else if (record.type === recordTypes.ended) sightings.push(this.#end(record));
      else this.#report(record, sightings);
    }
    this.#received += sightings.length;
    return sightings;
  }

  #meet(record: RecordReader): Sighting {
    const label = this.#labelOfMet(record);
    this.#labels.set(record.pid, label);
    return { at: this.#at(record), process: label, kind: 'fork', fields: {} };
  }

  /** A child is its parent until it becomes something else; of one without a known parent the kernel was asked. */
  #labelOfMet(record: RecordReader): EventProcess {
    const { pid, third: parent } = record;
    if (record.pieceCount === 0) return { ...this.#labelOf(parent), pid, parent };
    const name = record.piece(0)?.bytes ?? noBytes;
    const argv = splitArguments(record.piece(1)?.bytes ?? noBytes);
    return labelOf(pid, parent, name, argv);
  }

  #end(record: RecordReader): Sighting {
    const process = this.#labelOf(record.pid);
    this.#labels.delete(record.pid);
    const fields = endFields(record.state === states.unknown ? null : record.third);
    return { at: this.#at(record), process, kind: 'exit', fields };
  }

  #report(record: RecordReader, sightings: Sighting[]): void {
    const watched = this.#calls.get(record.third);
    if (watched === undefined) throw new Error(`call ${record.third} was not asked for`);
    const { pid, state } = record;
    const call = new RawCall(record);
    if (watched.kind === 'exec' && state === states.succeeded) this.#rename(pid, call);
    const at = this.#at(record);
    const process = this.#labelOf(pid);
    const heartbeat = this.#spot(pid, watched.kind, call);
    const kind = heartbeat === null ? watched.kind : 'heartbeat';
    const outcome = outcomes[state];
    for (const fields of heartbeat === null ? watched.events(call) : [heartbeat]) {
      const sighting: Sighting = { at, process, kind, fields };
      if (outcome !== undefined) sighting.outcome = outcome;
      if (state === states.invalid) sighting.truncated = ['arguments'];
      else if (call.cut.length > 0) sighting.truncated = [...call.cut];
      if (sighting.truncated !== undefined) this.#truncated += 1;
      sightings.push(sighting);
    }
  }

  /** Only a program that was really started changes what a process is called. */
  #rename(pid: number, call: RawCall): void {
    const { parent } = this.#labelOf(pid);
    this.#labels.set(pid, labelOf(pid, parent, nameOf(call.pathBytes(0, 'path')), call.list(3, 'argv')));
  }

  #spot(pid: number, kind: WatchedCall['kind'], call: RawCall): Event['fields'] | null {
    if (kind !== 'open' && kind !== 'connect') return null;
    const subject = call.piece(0)?.bytes ?? noBytes;
    if (kind === 'open' && !maybeHeartbeat(subject)) return null;
    const spotted = kind === 'open' ? this.#spotter.spotOpen(pid, subject) : this.#spotter.spotConnect(pid, subject);
    if (spotted === null) return null;
    if (kind === 'connect') this.#heartbeats += 1;
    return { nonce: spotted.nonce, number: spotted.number, of: kind };
  }

  #labelOf(pid: number): EventProcess {
    return this.#labels.get(pid) ?? labelOf(pid, 0, noBytes, []);
  }

  /** The text of the wall time is made once per millisecond. */
  #at({ monotonicNs, wallMs }: RecordReader): Sighting['at'] {
    if (wallMs !== this.#wall.milliseconds) {
      this.#wall = { milliseconds: wallMs, text: new Date(wallMs).toISOString() };
    }
    return { monotonicNs: String(Math.round(monotonicNs)), wall: this.#wall.text };
  }
}
