import { createHash } from 'node:crypto';
import { canonicalAddress, formatIpv6 } from './addresses.ts';

/**
 * Names and the addresses that we made up for them. The addresses come from ranges that nobody on the real internet
 * has: 198.18.0.0/15 (benchmarks, RFC 2544) and 2001:db8::/32 (documentation, RFC 3849). The same name has the same
 * address for the whole run, and every address can be mapped back to the name it was made up for.
 */

const ipv4Base = 0xc612_0000;
const ipv4Count = 131_072;

export interface NamedAddress {
  readonly name: string;
  readonly ipv4: string;
  readonly ipv6: string;
}

function ipv4At(index: number): string {
  const value = ipv4Base + index;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');
}

function ipv6At(index: number): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(0x2001_0db8, 0);
  bytes.writeUInt32BE(index, 12);
  return formatIpv6(bytes);
}

/** Lower case without the dot at the end. */
export function canonicalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

export class FakeNames {
  readonly #seed: string;
  readonly #mostNames: number;
  readonly #byName = new Map<string, NamedAddress>();
  readonly #byAddress = new Map<string, string>();
  /** Names that were forgotten because too many were asked for. */
  forgotten = 0;

  constructor(seed: string, fixed: Readonly<Record<string, string>> = {}, mostNames = ipv4Count / 2) {
    this.#seed = seed;
    this.#mostNames = mostNames;
    for (const [name, address] of Object.entries(fixed)) {
      const canonical = canonicalAddress(address);
      const made = this.#make(canonicalName(name));
      const entry = canonical.includes(':') ? { ...made, ipv6: canonical } : { ...made, ipv4: canonical };
      this.#byName.set(entry.name, entry);
      this.#byAddress.set(canonical, entry.name);
    }
  }

  #make(name: string): NamedAddress {
    const digest = createHash('sha256').update(`${this.#seed}\0${name}`).digest();
    // Never the first or last address of a range, which some programs take for the network itself.
    let index = 1 + (digest.readUInt32BE(0) % (ipv4Count - 2));
    while (this.#byAddress.has(ipv4At(index))) index = 1 + (index % (ipv4Count - 2));
    const entry = { name, ipv4: ipv4At(index), ipv6: ipv6At(index) };
    this.#byAddress.set(entry.ipv4, name);
    this.#byAddress.set(entry.ipv6, name);
    return entry;
  }

  /** The addresses of a name; made up when it is asked for the first time. */
  addressesOf(name: string): NamedAddress {
    const canonical = canonicalName(name);
    const known = this.#byName.get(canonical);
    if (known !== undefined) return known;
    const [oldest] = this.#byName.values();
    if (this.#byName.size >= this.#mostNames && oldest !== undefined) {
      this.#byName.delete(oldest.name);
      this.#byAddress.delete(oldest.ipv4);
      this.#byAddress.delete(oldest.ipv6);
      this.forgotten += 1;
    }
    const made = this.#make(canonical);
    this.#byName.set(canonical, made);
    return made;
  }

  /** From now on it stands for itself; a name that it was made up for gets another one when it is asked for again. */
  keepOut(address: string): void {
    const canonical = canonicalAddress(address);
    const name = this.#byAddress.get(canonical);
    const made = name === undefined ? undefined : this.#byName.get(name);
    if (made !== undefined && made.name !== canonical) {
      this.#byName.delete(made.name);
      this.#byAddress.delete(made.ipv4);
      this.#byAddress.delete(made.ipv6);
    }
    this.#byAddress.set(canonical, canonical);
  }

  /** The name that an address was made up for; null when it was asked for without a name. */
  nameOf(address: string): string | null {
    return this.#byAddress.get(canonicalAddress(address)) ?? null;
  }
}
