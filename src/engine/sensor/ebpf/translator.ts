import { constants } from 'node:os';
import type { Event, EventProcess } from '../../../base/event-schema.ts';
import { syscallNumbers } from '../../policy/syscalls/numbers.ts';
import type { Sighting } from '../contract.ts';
import { bytesField, caps } from '../fields.ts';
import { HeartbeatSpotter } from '../heartbeat.ts';
import { endFields } from '../seccomp-notify/ending.ts';
import { byNumber } from '../seccomp-notify/numbers.ts';
import { type ResultCall, resultCalls } from './calls.ts';
import type { WholeCall, WholeRecord } from './pairs.ts';
import type { Who } from './records.ts';
import { textField } from './text-field.ts';

/** Makes sightings of records that are whole and in order. */

const denied: readonly number[] = [constants.errno.EPERM, constants.errno.EACCES];
const open: readonly number[] = [constants.errno.EINPROGRESS, constants.errno.EINTR];
/** From here on they are the kernel's own: the call was interrupted and begins again. */
const firstRestart = 512;
const mostEnded = 4096;

export function outcomeOf(result: number): NonNullable<Event['outcome']> {
  if (result >= 0) return 'ok';
  if (denied.includes(-result)) return 'denied';
  return open.includes(-result) || -result >= firstRestart ? 'unknown' : 'failed';
}

export class Translator {
  readonly #timeOf: (at: bigint) => Event['at'];
  readonly #calls = byNumber<ResultCall>(resultCalls);
  readonly #names = byNumber<string>([...syscallNumbers.keys()].map((name) => [name, name]));
  readonly #heart = new HeartbeatSpotter();
  readonly #parents = new Map<number, number>();
  readonly #ended = new Set<number>();

  constructor(timeOf: (at: bigint) => Event['at']) {
    this.#timeOf = timeOf;
  }

  translate(record: WholeRecord): Sighting | null {
    switch (record.type) {
      case 'forked':
        this.#parents.set(record.pid, record.parent);
        this.#ended.delete(record.pid);
        return this.#sighting(record, { kind: 'fork', fields: {} });
      case 'became': {
        const { field, isCut } = textField(record.text);
        const fields = { path: field };
        return this.#sighting(record, {
          kind: 'exec',
          fields,
          outcome: 'ok',
          ...(isCut ? { truncated: ['path'] } : {}),
        });
      }
      case 'ended':
        return this.#ending(record, record.status);
      case 'refused': {
        const call = this.#names.get(record.call) ?? `call-${record.call}`;
        return this.#sighting(record, { kind: 'denied', fields: { call }, outcome: 'denied' });
      }
      case 'call':
        return this.#returning(record);
    }
  }

  /** Two threads that end in the same instant may both believe that they are the last. */
  #ending(who: Who, status: number): Sighting | null {
    if (this.#ended.has(who.pid)) return null;
    this.#ended.add(who.pid);
    const [oldest] = this.#ended.size > mostEnded ? this.#ended : [];
    if (oldest !== undefined) this.#ended.delete(oldest);
    const sighting = this.#sighting(who, { kind: 'exit', fields: endFields(status) });
    this.#parents.delete(who.pid);
    return sighting;
  }

  #returning(record: WholeCall): Sighting | null {
    const call = this.#calls.get(record.call);
    if (call === undefined) return null;
    const heartbeat = this.#heartbeatOf(call, record);
    if (heartbeat !== null) return this.#sighting(record, { kind: 'heartbeat', fields: heartbeat });
    const truncated = [...call.cut(record)];
    return this.#sighting(record, {
      kind: call.kind,
      fields: call.fields(record),
      outcome: outcomeOf(record.result),
      ...(truncated.length > 0 ? { truncated } : {}),
    });
  }

  #heartbeatOf({ kind }: ResultCall, { pid, text, address, extra }: WholeCall): Event['fields'] | null {
    if (kind === 'connect') {
      const beat = this.#heart.spotConnect(pid, address.subarray(0, Math.max(0, extra)));
      return beat === null ? null : { ...beat, of: 'connect' };
    }
    if (kind !== 'open' || !('text' in text.field)) return null;
    const beat = this.#heart.spotOpen(pid, Buffer.from(text.field.text));
    return beat === null ? null : { ...beat, of: 'open' };
  }

  #sighting({ at, pid, parent, name }: Who, what: Omit<Sighting, 'at' | 'process'>): Sighting {
    const process: EventProcess = {
      pid,
      // An orphan stays the child of the one that forked it.
      parent: this.#parents.get(pid) ?? parent,
      name: bytesField(name, caps.name),
    };
    return { at: this.#timeOf(at), process, ...what };
  }
}
