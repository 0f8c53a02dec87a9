import type { Event } from '../../../base/event-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { NetEvent } from '../../../engine/net/event.ts';
import type { RunLedger } from './run-ledger.ts';

/** What the gate decides, as entries of the ledger: a host that is reached once, every refusal up to a cap, then counted. */

export const egressCaps = { hosts: 2000, refusals: 1000, names: 1000 } as const;
const longestHost = 255;
const noSuchName = 3;

/** As the gate tells it. */
export type EgressEvent = Pick<NetEvent, 'kind' | 'asked' | 'transport' | 'fields'>;

export interface EgressWatchers {
  readonly onHost: (host: string, port: number) => void;
  readonly onRefused: (host: string, port: number, because: string) => void;
}

export interface EgressCounts {
  readonly allowed: number;
  readonly refused: number;
  /** Told only as a number. */
  readonly untold: number;
}

const kindsOfState: Readonly<Record<string, NetEvent['kind']>> = {
  allowed: 'egress-allowed',
  refused: 'egress-refused',
};

/** The same from the log of a watched box; null for everything else that is seen there. */
export function egressEventOf({ source, kind, fields }: Event): EgressEvent | null {
  if (source !== 'wire') return null;
  const netKind = kind === 'connection' ? kindsOfState[String(fields.state)] : kind === 'dns-answer' ? kind : undefined;
  if (netKind === undefined) return null;
  const { asked, transport, ...rest } = fields as unknown as EgressEvent['fields'] &
    Pick<NetEvent, 'asked' | 'transport'>;
  return { kind: netKind, asked, transport, fields: rest };
}

/** Names of a box are bytes that it chose. */
function safe(host: string): string {
  return forTerminal(untrusted(host, longestHost));
}

export class EgressNotes {
  readonly #ledger: Promise<RunLedger>;
  readonly #watchers: EgressWatchers;
  readonly #reached = new Set<string>();
  readonly #unknownNames = new Set<string>();
  #allowed = 0;
  #refused = 0;
  #untold = 0;

  constructor(ledger: Promise<RunLedger>, watchers: EgressWatchers) {
    this.#ledger = ledger;
    this.#watchers = watchers;
  }

  get counts(): EgressCounts {
    return { allowed: this.#allowed, refused: this.#refused, untold: this.#untold };
  }

  /** The gate waits for it, and cuts everything when it fails. */
  async take(events: readonly EgressEvent[]): Promise<void> {
    await Promise.all(events.map((event) => this.#takeOne(event)));
  }

  async #takeOne(event: EgressEvent): Promise<void> {
    if (event.kind === 'egress-allowed') await this.#allow(event);
    else if (event.kind === 'egress-refused') await this.#refuse(event);
    else if (event.kind === 'dns-answer') await this.#lookUp(event);
    else if (event.kind === 'limit-hit') await this.#limit(event);
  }

  async #allow({ asked, fields }: EgressEvent): Promise<void> {
    this.#allowed += 1;
    const host = safe(asked.name ?? asked.address);
    const key = `${host} ${asked.port}`;
    if (this.#reached.has(key)) return;
    if (this.#reached.size >= egressCaps.hosts) {
      this.#untold += 1;
      return;
    }
    this.#reached.add(key);
    this.#watchers.onHost(host, asked.port);
    const details = { host, port: asked.port, address: String(fields.address ?? '') };
    await (await this.#ledger).write({ action: 'egress.allow', verdict: 'allowed', details });
  }

  async #refuse({ asked, fields, transport }: EgressEvent): Promise<void> {
    const host = safe(asked.name ?? asked.address);
    const because = String(fields.because ?? 'not-listed');
    await this.#tellRefusal(host, asked.port, because, { transport, detail: safe(String(fields.detail ?? '')) });
  }

  /** A name that no rule covers does not exist for the box: that is a refusal too, told once per name. */
  async #lookUp({ fields }: EgressEvent): Promise<void> {
    if (fields.code !== noSuchName || !Array.isArray(fields.questions)) return;
    for (const question of fields.questions as readonly { readonly name?: unknown; readonly type?: unknown }[]) {
      if (typeof question.name !== 'string' || question.type === 'PTR') continue;
      const host = safe(question.name);
      if (this.#unknownNames.has(host)) continue;
      if (this.#unknownNames.size < egressCaps.names) this.#unknownNames.add(host);
      await this.#tellRefusal(host, 0, 'name-not-listed', { transport: 'dns' });
    }
  }

  async #tellRefusal(
    host: string,
    port: number,
    because: string,
    more: Readonly<Record<string, string>>,
  ): Promise<void> {
    this.#refused += 1;
    this.#watchers.onRefused(host, port, because);
    if (this.#refused > egressCaps.refusals) {
      this.#untold += 1;
      return;
    }
    const details = { host, ...(port === 0 ? {} : { port }), ...more };
    await (await this.#ledger).write({
      action: 'egress.refuse',
      verdict: 'refused',
      rule: `egress/${because}`,
      details,
    });
  }

  async #limit({ fields }: EgressEvent): Promise<void> {
    this.#untold += 1;
    if (this.#untold > egressCaps.refusals) return;
    const details = { limit: safe(String(fields.limit ?? '')), where: 'network' };
    await (await this.#ledger).write({ action: 'limit.hit', verdict: 'noted', details });
  }
}
