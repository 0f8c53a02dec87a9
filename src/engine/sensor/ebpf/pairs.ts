import type { WitnessRecord } from './records.ts';
import { type TextField, textField } from './text-field.ts';

/**
 * A program in the kernel has little room, so a call with two names or with an address is told in two records. They come
 * one right after the other, from the same thread.
 */

type Returned = Extract<WitnessRecord, { readonly type: 'returned' }>;

export interface WholeCall extends Omit<Returned, 'type' | 'text'> {
  readonly type: 'call';
  readonly text: TextField;
  readonly from: TextField;
  readonly address: Buffer;
}

export type WholeRecord =
  | Exclude<WitnessRecord, { readonly type: 'adopted' | 'lastReady' | 'firstName' | 'address' | 'returned' }>
  | WholeCall;

const mostHalves = 4096;
const nothing = Buffer.alloc(0);

export class Pairs {
  readonly #names = new Map<number, Buffer>();
  readonly #addresses = new Map<number, Buffer>();

  /** Null where the record is only a half, or none about the box. */
  take(record: WitnessRecord): WholeRecord | null {
    switch (record.type) {
      case 'adopted':
      case 'lastReady':
        return null;
      case 'firstName':
        return keep(this.#names, record.thread, record.text);
      case 'address':
        return keep(this.#addresses, record.thread, record.address);
      case 'returned': {
        const { thread, text } = record;
        const from = textField(this.#names.get(thread) ?? nothing);
        const address = this.#addresses.get(thread) ?? nothing;
        this.#names.delete(thread);
        this.#addresses.delete(thread);
        return { ...record, type: 'call', text: textField(text), from, address };
      }
      default:
        return record;
    }
  }
}

/** Where the other half was lost, the oldest go first. */
function keep(halves: Map<number, Buffer>, thread: number, bytes: Buffer): null {
  halves.delete(thread);
  halves.set(thread, bytes);
  const oldest = halves.size > mostHalves ? halves.keys().next().value : undefined;
  if (oldest !== undefined) halves.delete(oldest);
  return null;
}
