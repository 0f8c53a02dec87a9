import { addressBytes, formatIpv6 } from '../addresses.ts';
import type { DnsRecordSeed } from '../config.ts';
import { canonicalName, type FakeNames } from '../fake-names.ts';
import { type Answer, labelsOf, nameText, type Question, type Record, recordTypes, writeName } from './message.ts';

/** What the fake internet knows about a name: everything exists, unless a seed says otherwise. */

const seconds = 60;
const noSuchName: Answer = { code: 3, records: [] };

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => {
    bytes.writeUInt16BE(value & 0xffff, at * 2);
  });
  return bytes;
}

function textData(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

const nameData = (name: string): Buffer => writeName(labelsOf(name));

/** A seed's value in the form of its record; null when it cannot be read as that. */
function seedData(seed: DnsRecordSeed): Buffer | null {
  const words = seed.value.trim().split(/\s+/);
  const target = nameData(words.at(-1) ?? '');
  if (seed.type === 'TXT') return textData(seed.value);
  if (seed.type === 'MX') return words.length === 2 ? Buffer.concat([numbers(Number(words[0])), target]) : null;
  if (seed.type === 'SRV') {
    return words.length === 4 ? Buffer.concat([numbers(...words.slice(0, 3).map(Number)), target]) : null;
  }
  const bytes = addressBytes(seed.value);
  return bytes !== null && bytes.length === (seed.type === 'A' ? 4 : 16) ? bytes : null;
}

export function addressOfReverseName(name: string): string | null {
  const ipv4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.in-addr\.arpa$/.exec(name);
  if (ipv4 !== null) return ipv4.slice(1, 5).reverse().join('.');
  const ipv6 = /^((?:[0-9a-f]\.){32})ip6\.arpa$/.exec(name)?.[1];
  if (ipv6 === undefined) return null;
  const digits = ipv6.split('.').reverse().join('');
  return formatIpv6(Buffer.from(digits, 'hex'));
}

type Make = (name: string, names: FakeNames) => Buffer | null;

/** What is answered for a name that no seed speaks of. A type that is not here is answered with nothing. */
const made: Readonly<{ [type: number]: Make }> = {
  [recordTypes.A]: (name, names) => addressBytes(names.addressesOf(name).ipv4),
  [recordTypes.AAAA]: (name, names) => addressBytes(names.addressesOf(name).ipv6),
  [recordTypes.TXT]: () => textData('v=spf1 -all'),
  [recordTypes.MX]: (name) => Buffer.concat([numbers(10), nameData(`mail.${name}`)]),
  [recordTypes.SRV]: (name) => {
    const [service = '', , ...domain] = name.split('.');
    const port = { _https: 443, _http: 80, _imaps: 993, _submission: 587, _ldap: 389, _sip: 5060 }[service] ?? 443;
    return Buffer.concat([numbers(0, 5, port), nameData(domain.join('.') || name)]);
  },
  [recordTypes.PTR]: (name, names) => {
    const address = addressOfReverseName(name);
    const target = address === null ? null : names.nameOf(address);
    return target === null ? null : nameData(target);
  },
  [recordTypes.ANY]: (name, names) => addressBytes(names.addressesOf(name).ipv4),
};

export class Resolver {
  readonly #names: FakeNames;
  readonly #seeds = new Map<string, DnsRecordSeed[]>();
  readonly #given = new Map<DnsRecordSeed, number>();

  constructor(names: FakeNames, seeds: readonly DnsRecordSeed[]) {
    this.#names = names;
    for (const seed of seeds) {
      const name = canonicalName(seed.name);
      this.#seeds.set(name, [...(this.#seeds.get(name) ?? []), seed]);
    }
  }

  resolve(question: Question): Answer {
    const name = canonicalName(nameText(question.labels));
    const seeds = this.#seeds.get(name) ?? [];
    // The one top-level name that must not exist (RFC 6761); programs use it to try out whether DNS lies.
    if (seeds.some((seed) => seed.type === 'NXDOMAIN') || name === 'invalid' || name.endsWith('.invalid')) {
      return noSuchName;
    }
    const record = (data: Buffer): Record => ({
      labels: question.labels,
      type: question.type === recordTypes.ANY ? recordTypes.A : question.type,
      seconds,
      data,
    });
    const seeded = this.#inTurn(seeds.filter((seed) => seedTypeNumber(seed) === question.type));
    if (seeded.length > 0) {
      const data = seeded.map(seedData).filter((bytes) => bytes !== null);
      return { code: 0, records: data.map(record) };
    }
    const data = made[question.type]?.(name, this.#names) ?? null;
    if (data === null) return question.type === recordTypes.PTR ? noSuchName : { code: 0, records: [] };
    return { code: 0, records: [record(data)] };
  }

  /** Those that are always given together, unless one is first in turn that is given a few times only. */
  #inTurn(seeds: readonly DnsRecordSeed[]): readonly DnsRecordSeed[] {
    const given = (seed: DnsRecordSeed): number => this.#given.get(seed) ?? 0;
    const first = seeds.find((seed) => seed.times !== undefined && given(seed) < seed.times);
    if (first === undefined) return seeds.filter((seed) => seed.times === undefined);
    this.#given.set(first, given(first) + 1);
    return [first];
  }
}

function seedTypeNumber(seed: DnsRecordSeed): number | null {
  return seed.type === 'NXDOMAIN' ? null : recordTypes[seed.type];
}

/** Names whose address is known to all the world. */
export function fixedNames(seeds: readonly DnsRecordSeed[]): Readonly<{ [name: string]: string }> {
  const addresses = seeds.filter((seed) => seed.type === 'A' || seed.type === 'AAAA');
  return {
    localhost: '127.0.0.1',
    'metadata.google.internal': '169.254.169.254',
    ...Object.fromEntries(addresses.map((seed) => [seed.name, seed.value])),
  };
}
