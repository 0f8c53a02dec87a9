import {
  createRandom,
  createRecogniser,
  makeHome,
  type OrdinaryKind,
  ordinaryKinds,
  ordinaryTraffic,
} from '../src/engine/decoy/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** Looking for the canaries of a whole home in what passes. */

const megabyte = 1_000_000;
const barMs = 1000;
const barBytes = 50 * megabyte;
const rounds = 5;
const shares: Readonly<Record<OrdinaryKind, number>> = { prose: 40, source: 30, images: 30 };

export function measureRecognise(): readonly Result[] {
  const { canaries } = makeHome({ seed: 'bench' });
  const prose = Buffer.concat([...ordinaryTraffic('prose', 10 * megabyte, createRandom('plain'))]);
  const times = Array.from({ length: rounds + 1 }, () => {
    const recogniser = createRecogniser(canaries);
    const startedAt = performance.now();
    recogniser.feed('plain', prose);
    recogniser.end('plain');
    return ((performance.now() - startedAt) / prose.length) * barBytes;
  }).slice(1);
  const plainMs = median(times);
  const results: Result[] = [
    {
      name: 'search 50 MB of plain text',
      value: plainMs,
      unit: 'ms',
      bar: barMs,
      detail: `${((barBytes / megabyte / plainMs) * 1000).toFixed(0)} MB/s for ${canaries.length} canaries`,
    },
  ];
  let alarms = 0;
  for (const kind of ordinaryKinds) {
    const recogniser = createRecogniser(canaries);
    let sizeBytes = 0;
    let spentMs = 0;
    for (const piece of ordinaryTraffic(kind, shares[kind] * megabyte, createRandom(kind))) {
      const startedAt = performance.now();
      alarms += recogniser.feed(kind, piece).length;
      spentMs += performance.now() - startedAt;
      sizeBytes += piece.length;
    }
    alarms += recogniser.end(kind).length;
    results.push({
      name: `search 50 MB of ${kind}`,
      value: (spentMs / sizeBytes) * barBytes,
      unit: 'ms',
      detail: `${(sizeBytes / megabyte / (spentMs / 1000)).toFixed(0)} MB/s with everything decoded`,
    });
  }
  results.push({
    name: 'false alarms in 100 MB',
    value: alarms,
    unit: 'alarms',
    bar: 0,
    detail: 'prose, source and base64 images',
  });
  return results;
}
