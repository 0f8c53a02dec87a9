import { type NetEvent, specialKind } from '../../../engine/net/index.ts';
import type { Refused } from './contract.ts';

/** What a scanner tried beyond its aim: each once, with how often. */

const mostKinds = 200;
const mostText = 300;

export class Refusals {
  readonly #counts = new Map<string, { readonly to: string; readonly because: string; count: number }>();
  #others = 0;
  #begunMs = Number.POSITIVE_INFINITY;

  /** The scanner has been let go. Before, the box asks its own loopback whether it holds. */
  begin(): void {
    this.#begunMs = Date.now();
  }

  add(to: string, because: string): void {
    const entry = { to: to.slice(0, mostText), because: because.slice(0, mostText), count: 1 };
    const key = `${entry.to}\n${entry.because}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#counts.size < mostKinds - 1) this.#counts.set(key, entry);
    else this.#others += 1;
  }

  see({ kind, asked, fields, transport, at }: NetEvent): void {
    if (at.wallMs <= this.#begunMs && specialKind(asked.address) === 'loopback') return;
    const name = asked.name ?? asked.address;
    const to = `${name.includes(':') ? `[${name}]` : name}:${asked.port}`;
    if (kind === 'egress-refused') this.add(to, String(fields.detail ?? fields.because ?? 'refused'));
    if (kind === 'limit-hit') this.add(to, `limit of ${String(fields.limit ?? 'the gate')}`);
    if (kind === 'dns-query') this.add(`name ${String(fields.name ?? '')}`, 'names are not resolved here');
    if (transport === 'udp' && (kind === 'raw-bytes' || kind === 'quic-hello'))
      this.add(`${to}/udp`, 'only TCP is let through');
  }

  list(): readonly Refused[] {
    const rest = this.#others === 0 ? [] : [{ to: 'others', because: 'more than can be listed', count: this.#others }];
    return [...this.#counts.values(), ...rest];
  }
}
