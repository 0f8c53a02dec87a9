import type { Event } from '../../../base/event-schema.ts';
import { firstText, listOf, numberOf, recordOf, textOf } from './field-text.ts';

/** Names for addresses, as the run itself learned them from its name server. */
export class AddressBook {
  readonly #names = new Map<string, string>();
  static readonly mostNames = 4096;

  learn({ kind, fields }: Event): void {
    const asked = recordOf(fields.asked);
    this.#note(textOf(asked.address), textOf(asked.name));
    if (kind !== 'dns-answer') return;
    const name = textOf(fields.name) ?? textOf(recordOf(listOf(fields.questions)[0]).name);
    for (const address of listOf(fields.addresses)) this.#note(textOf(address), name);
  }

  nameOf(address: string): string | null {
    return this.#names.get(address) ?? null;
  }

  #note(address: string | null, name: string | null): void {
    if (address === null || name === null || name === '') return;
    if (this.#names.size < AddressBook.mostNames || this.#names.has(address)) this.#names.set(address, name);
  }
}

export interface Peer {
  /** `name:port` where the name is known, `address:port` otherwise, or the path of a socket. */
  readonly shown: string;
  /** The address, where a name is shown instead of it. */
  readonly address: string | null;
}

function withPort(host: string, port: number | null): string {
  if (port === null) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Whom an event was about: what was asked for is preferred to where it went. Null when it does not say. */
export function peerOf({ fields }: Event, book: AddressBook): Peer | null {
  const asked = recordOf(fields.asked);
  const address = textOf(asked.address) ?? textOf(fields.address);
  const port = numberOf(asked.port) ?? numberOf(fields.port);
  const name = textOf(asked.name) ?? (address === null ? null : book.nameOf(address));
  if (name !== null && name !== '') return { shown: withPort(name, port), address };
  if (address !== null) return { shown: withPort(address, port), address: null };
  const other = firstText(fields, ['path', 'host', 'serverName', 'family']);
  return other === null ? null : { shown: other, address: null };
}
