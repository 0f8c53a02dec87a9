import type { Event } from '../../../base/event-schema.ts';
import { firstText, listOf, numberOf, recordOf, textOf } from './field-text.ts';

/**
 * Who read a decoy, and who spoke to an address: a leak is seen on the wire, where there are no processes, so the two
 * ends are tied together here. What the event says itself comes first.
 */

const mostTrails = 4096;
const mostPids = 4;

class PidsByKey {
  readonly #pids = new Map<string, number[]>();

  add(key: string, pid: number): void {
    const known = this.#pids.get(key);
    if (known === undefined) {
      if (this.#pids.size < mostTrails) this.#pids.set(key, [pid]);
    } else if (!known.includes(pid) && known.length < mostPids) known.push(pid);
  }

  get(key: string): readonly number[] {
    return this.#pids.get(key) ?? [];
  }

  /** All pids whose key the question accepts, without repetition. */
  find(accepts: (key: string) => boolean): readonly number[] {
    const found = [...this.#pids].filter(([key]) => accepts(key)).flatMap(([, pids]) => pids);
    return [...new Set(found)].slice(0, mostPids);
  }
}

export interface LeakEnds {
  /** Empty when it is not known; more than one when it may have been any of them. */
  readonly readers: readonly number[];
  readonly senders: readonly number[];
}

const peerKey = (address: string, port: number | null): string => `${address} ${port ?? ''}`;

/** Numbers, or records that hold one as `pid`. */
function pidsIn(value: unknown): readonly number[] {
  const pids = [value].flat().flatMap((each) => numberOf(each) ?? numberOf(recordOf(each).pid) ?? []);
  return [...new Set(pids)].slice(0, mostPids);
}

/** `file .aws/credentials` names the decoy `/home/u/.aws/credentials`. */
function isSameDecoy(label: string, key: string): boolean {
  const planted = label.replace(/^(?:file|variable) /, '').replace(/^~\//, '');
  return key === label || key === planted || (planted !== '' && key.endsWith(`/${planted}`));
}

export class Trails {
  readonly #readers = new PidsByKey();
  readonly #speakers = new PidsByKey();

  learn({ kind, process, fields }: Event): void {
    if (process === undefined) return;
    if (kind === 'bait-read') {
      const keys = [fields.path, fields.variable, fields.decoy, fields.canary, ...listOf(fields.canaries)];
      for (const key of keys.flatMap((value) => textOf(value) ?? [])) this.#readers.add(key, process.pid);
    }
    const address = textOf(fields.address);
    if ((kind === 'connect' || kind === 'send-to') && address !== null)
      this.#speakers.add(peerKey(address, numberOf(fields.port)), process.pid);
  }

  /** Everybody who spoke to the address that an event of the wire is about. */
  speakersOf({ fields }: Event): readonly number[] {
    const asked = recordOf(fields.asked);
    const key = peerKey(textOf(asked.address) ?? '', numberOf(asked.port));
    return this.#speakers.get(key);
  }

  endsOf(event: Event): LeakEnds {
    const { process, fields } = event;
    const labels = ['canary', 'planted', 'path'].flatMap((key) => firstText(fields, [key]) ?? []);
    const saidReaders = pidsIn(fields.readBy);
    const saidSenders = pidsIn(fields.sentBy);
    const ownPid = process === undefined ? [] : [process.pid];
    const senders = saidSenders.length > 0 ? saidSenders : ownPid;
    return {
      readers: saidReaders.length > 0 ? saidReaders : this.#readers.find((k) => labels.some((l) => isSameDecoy(l, k))),
      senders: senders.length > 0 ? senders : this.speakersOf(event),
    };
  }
}
