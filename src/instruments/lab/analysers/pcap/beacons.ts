import type { Json } from '../../contract.ts';
import { type Draft, excerpt } from '../draft.ts';
import type { Conversation } from './conversations.ts';
import { rules } from './rules.ts';

const fewest = 5;
const mostJitter = 0.2;

/** Connections of one client to one service, and how evenly they lie in time. */
export function addBeacons(draft: Draft, conversations: readonly Conversation[]): void {
  const starts = new Map<string, number[]>();
  for (const { protocol, client, server, serverPort, start } of conversations) {
    if (protocol !== 'tcp' && protocol !== 'udp') continue;
    const key = `${client} to ${server}:${serverPort} (${protocol})`;
    const times = starts.get(key) ?? [];
    times.push(start);
    starts.set(key, times);
  }
  const found: Json[] = [];
  for (const [key, times] of starts) {
    if (times.length < fewest) continue;
    const sorted = times.toSorted((left, right) => left - right);
    const gaps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const deviation = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
    if (mean < 1 || deviation / mean > mostJitter) continue;
    const round = (value: number): number => Math.round(value * 1000) / 1000;
    found.push({
      between: excerpt(key, 150),
      connections: times.length,
      interval_seconds: round(mean),
      jitter: round(deviation / mean),
    });
    draft.finding(
      rules.beacon,
      key,
      `${times.length} connections, every ${round(mean)} s, jitter ${round(deviation / mean)}`,
    );
  }
  draft.fact('beacons', found.slice(0, 50));
}
