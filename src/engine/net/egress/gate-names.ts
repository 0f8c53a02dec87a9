import { addressBytes } from '../addresses.ts';
import { type Answer, labelsOf, nameText, type Question, recordTypes, writeName } from '../dns/message.ts';
import { addressOfReverseName } from '../dns/resolve.ts';
import type { FakeNames } from '../fake-names.ts';
import { effectiveHost } from './effective-host.ts';

/**
 * The names that exist for a box behind the egress gate: those that a rule of the policy covers on any port. They get
 * made-up addresses, so that a connection tells us which name it is for. Whether it may be made is decided when it is.
 */

const seconds = 60;
const noSuchName: Answer = { code: 3, records: [] };
const nothing: Answer = { code: 0, records: [] };

/** True when a host of the rules covers the name; `.example.com` covers example.com too. */
export function coversName(hosts: ReadonlySet<string>, name: string): boolean {
  const host = effectiveHost(name);
  if (host === null || host === '' || host.startsWith('.')) return false;
  if (hosts.has('*') || hosts.has(host)) return true;
  if (addressBytes(host) !== null) return false;
  const labels = host.split('.');
  return labels.some((_, at) => hosts.has(`.${labels.slice(at).join('.')}`));
}

export class GateResolver {
  readonly #names: FakeNames;
  #hosts: ReadonlySet<string>;

  constructor(names: FakeNames, hosts: readonly string[]) {
    this.#names = names;
    this.#hosts = new Set(hosts);
  }

  /** The rules have changed: answers from now on go by these. */
  setHosts(hosts: readonly string[]): void {
    for (const host of hosts) if (addressBytes(host) !== null) this.#names.keepOut(host);
    this.#hosts = new Set(hosts);
  }

  resolve(question: Question): Answer {
    const name = nameText(question.labels);
    const record = (type: number, data: Buffer): Answer => ({
      code: 0,
      records: [{ labels: question.labels, type, seconds, data }],
    });
    if (question.type === recordTypes.PTR) {
      const address = addressOfReverseName(name.toLowerCase());
      const known = address === null ? null : this.#names.nameOf(address);
      return known === null || known === address ? noSuchName : record(recordTypes.PTR, writeName(labelsOf(known)));
    }
    if (!coversName(this.#hosts, name)) return noSuchName;
    if (question.type !== recordTypes.A && question.type !== recordTypes.AAAA) return nothing;
    const addresses = this.#names.addressesOf(name);
    const data = addressBytes(question.type === recordTypes.A ? addresses.ipv4 : addresses.ipv6);
    return data === null ? nothing : record(question.type, data);
  }
}
