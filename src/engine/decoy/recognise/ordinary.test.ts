import { describe, expect, it } from 'vitest';
import { makeHome } from '../home.ts';
import { createRandom } from '../random.ts';
import { ordinaryKinds, ordinaryTraffic } from './ordinary.ts';
import { createRecogniser } from './recogniser.ts';

const home = makeHome({ seed: 'ordinary', now: new Date('2026-01-02T03:04:05Z') });
const sizes = { prose: 9_000_000, source: 8_000_000, images: 3_000_000 } as const;

describe('ordinary traffic', () => {
  it.each(ordinaryKinds)('raises no alarm and is looked at to the end: %s', (kind) => {
    const recogniser = createRecogniser(home.canaries);
    const hits = [...ordinaryTraffic(kind, sizes[kind], createRandom(kind))].flatMap((piece) =>
      recogniser.feed(kind, piece),
    );
    expect([...hits, ...recogniser.end(kind)]).toEqual([]);
    expect(recogniser.cuts.undecodedBytes).toBe(0);
  });

  it('hides nothing that stands in the middle of it', () => {
    const recogniser = createRecogniser(home.canaries);
    for (const kind of ordinaryKinds) {
      const pieces = [...ordinaryTraffic(kind, 200_000, createRandom(kind))];
      const [canary] = home.canaries;
      pieces.splice(1, 0, Buffer.from(`"${Buffer.from(canary?.token ?? '').toString('hex')}"`));
      expect(pieces.flatMap((piece) => recogniser.feed(kind, piece)).map((hit) => hit.canary.id)).toEqual([canary?.id]);
    }
  });
});
