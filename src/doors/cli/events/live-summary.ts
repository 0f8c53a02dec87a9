import type { Event } from '../../../base/event-schema.ts';
import { textOf } from '../../../engine/sensor/history/index.ts';
import { count, type Terminal } from '../terminal/index.ts';
import { cellsOf } from './shorten.ts';
import { paint, type Tone } from './tone.ts';

const changes = ['created', 'changed', 'removed'];

/** The numbers below a stream of events. */
export class LiveCounts {
  #events = 0;
  #processes = 0;
  #decoys = 0;
  #leaks = 0;
  #denied = 0;
  readonly #disk = new Map<string, number>();

  add(event: Event): void {
    const { kind, outcome, fields } = event;
    if (kind === 'heartbeat') return;
    this.#events += 1;
    if (kind === 'bait-read') this.#decoys += 1;
    if (kind === 'leak') this.#leaks += 1;
    const isRefused = kind === 'connection' && fields.state === 'refused';
    if (kind === 'denied' || outcome === 'denied' || isRefused) this.#denied += 1;
    if (kind !== 'disk-change') return;
    const change = changes.find((word) => word === textOf(fields.change)) ?? 'changed';
    this.#disk.set(change, (this.#disk.get(change) ?? 0) + 1);
  }

  addProcess(): void {
    this.#processes += 1;
  }

  render({ style, width }: Terminal): string {
    const disk = [...this.#disk].map(([change, times]) => `${times} ${change}`).join(', ');
    const parts: readonly (readonly [Tone, string])[] = [
      ['plain', count(this.#events, 'event')],
      ['plain', count(this.#processes, 'process', 'processes')],
      ...(this.#leaks > 0 ? [['leak', count(this.#leaks, 'LEAK')] as const] : []),
      ...(this.#decoys > 0 ? [['decoy', `${count(this.#decoys, 'decoy')} read`] as const] : []),
      ...(this.#denied > 0 ? [['denied', `${this.#denied} denied`] as const] : []),
      ...(disk === '' ? [] : [['plain', `on disk ${disk}`] as const]),
    ];
    let used = 0;
    let text = '';
    for (const [tone, part] of parts) {
      const isFirst = used === 0 || used + 3 + cellsOf(part) > width;
      text += `${isFirst ? (used === 0 ? '' : '\n') : ' | '}${paint(tone, part, style)}`;
      used = isFirst ? cellsOf(part) : used + 3 + cellsOf(part);
    }
    return `${text}\n`;
  }
}
