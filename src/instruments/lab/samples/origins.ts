import { join } from 'node:path';
import { z } from 'zod';
import { type Collection, Store } from '../../../engine/store/index.ts';

/** Where samples came from: what was unpacked, decrypted, fetched or brought keeps the name of its parent for ever. */

const originSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where it was put. */
  path: z.string().max(4096),
  place: z.string().max(512),
  how: z.string().max(512),
  /** The sample that it came out of; null for one that came from outside. */
  parent: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  /** What it was called there: untrusted. */
  originalName: z.string().max(1024),
  at: z.string(),
});
export type Origin = z.infer<typeof originSchema>;

const mostOrigins = 100_000;
const mostPerSample = 64;

export class Origins implements Disposable {
  readonly #store: Store;
  readonly #collection: Collection<{ readonly origins: readonly Origin[] }>;

  constructor(homeFolder: string) {
    this.#store = Store.open(join(homeFolder, 'lab', 'state.sqlite'));
    this.#collection = this.#store.collection({
      name: 'lab-origins',
      schema: z.strictObject({ origins: z.array(originSchema).max(mostPerSample) }),
      mostDocuments: mostOrigins,
    });
  }

  /** The newest are kept where a sample has come in many ways. */
  add(origin: Origin): void {
    const { sha256, path, parent, how } = origin;
    this.#collection.change(sha256, (before) => {
      const others = (before?.origins ?? []).filter(
        (known) => known.path !== path || known.parent !== parent || known.how !== how,
      );
      return { origins: [...others, origin].slice(-mostPerSample) };
    });
  }

  of(sha256: string): readonly Origin[] {
    return this.#collection.get(sha256)?.value.origins ?? [];
  }

  close(): void {
    this.#store.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
