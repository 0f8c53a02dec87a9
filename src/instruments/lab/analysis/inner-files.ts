import { sha256 as digestOf } from '../../../base/fingerprint.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { AnalyserPool } from '../analysers/run/index.ts';
import type { AnalyserRun, Child, Depth, Kind } from '../contract.ts';

/** What came out of a sample is looked at as well, and what comes out of that, down to a depth that a sample does not choose. */

export const innerLimits = { depth: 3, files: 64, bytes: 128 * mebibyte } as const;

export interface Inner {
  readonly name: string;
  readonly how: string;
  /** Names on the way to it, outermost first, without its own. */
  readonly way: readonly string[];
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly kind: Kind;
  readonly runs: readonly AnalyserRun[];
}

interface Waiting {
  readonly child: Child;
  readonly way: readonly string[];
}

export interface InnerOrder {
  readonly pool: Pick<AnalyserPool, 'run'>;
  readonly runs: readonly AnalyserRun[];
  readonly ownSha256: string;
  readonly depth: Depth;
  readonly passwords: readonly string[];
  readonly rulesFolders: readonly string[];
  readonly signal: AbortSignal;
}

function childrenOf(runs: readonly AnalyserRun[], way: readonly string[]): readonly Waiting[] {
  return runs.flatMap(({ result }) => result.children.map((child) => ({ child, way })));
}

/** Breadth first, each content once. */
export async function openInnerFiles(
  order: InnerOrder,
): Promise<{ readonly inner: readonly Inner[]; readonly notes: readonly string[] }> {
  const seen = new Set([order.ownSha256]);
  const inner: Inner[] = [];
  const notes: string[] = [];
  let bytes = 0;
  let waiting = childrenOf(order.runs, []);
  for (let level = 0; level < innerLimits.depth && waiting.length > 0; level += 1) {
    const found: Waiting[] = [];
    for (const { child, way } of waiting) {
      order.signal.throwIfAborted();
      const sha256 = digestOf(child.bytes);
      if (seen.has(sha256) || child.bytes.length === 0) continue;
      if (inner.length === innerLimits.files || bytes + child.bytes.length > innerLimits.bytes) {
        notes.push(`inner files beyond ${innerLimits.files} or ${innerLimits.bytes / mebibyte} MiB were not looked at`);
        return { inner, notes };
      }
      seen.add(sha256);
      bytes += child.bytes.length;
      const { kind, runs } = await order.pool.run({
        bytes: child.bytes,
        name: child.name,
        depth: order.depth === 'quick' ? 'quick' : 'standard',
        passwords: order.passwords,
        rulesFolders: order.rulesFolders,
        signal: order.signal,
      });
      inner.push({ name: child.name, how: child.how, way, bytes: child.bytes, sha256, kind, runs });
      found.push(...childrenOf(runs, [...way, child.name]));
    }
    waiting = found;
  }
  if (waiting.length > 0) notes.push(`files more than ${innerLimits.depth} levels inside were not looked at`);
  return { inner, notes };
}
