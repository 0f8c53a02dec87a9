import { z } from 'zod';

/** What a server offered the last time, as it is remembered between runs: one small file per server. */

export const pinVersion = 1;

const text = z.string().max(64 * 1024);
const name = z.string().max(1024);

export const pinSchema = z.strictObject({
  format: z.literal('hotcell-pin'),
  version: z.literal(pinVersion),
  /** What the file is about, without a version: `npm:name`. */
  subject: z.string().min(1).max(4200),
  /** The version that was seen, and what it was made of where that is known. */
  seen: z.strictObject({
    version: z.string().max(256).nullable(),
    integrity: z.string().max(256).nullable(),
    at: z.iso.datetime(),
  }),
  /** Of the listing as it is here. */
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  listing: z.strictObject({
    tools: z
      .array(
        z.strictObject({
          name,
          title: text.exactOptional(),
          description: text.exactOptional(),
          inputSchema: z.json(),
          outputSchema: z.json().exactOptional(),
          annotations: z.record(z.string(), z.json()).exactOptional(),
        }),
      )
      .max(5000),
    prompts: z
      .array(
        z.strictObject({
          name,
          description: text.exactOptional(),
          arguments: z
            .array(z.strictObject({ name, description: text.exactOptional(), required: z.boolean() }))
            .max(1000),
        }),
      )
      .max(5000),
    resources: z
      .array(
        z.strictObject({
          uri: name,
          name: text.exactOptional(),
          description: text.exactOptional(),
          isTemplate: z.boolean(),
        }),
      )
      .max(5000),
    instructions: text.exactOptional(),
  }),
});
export type Pin = z.infer<typeof pinSchema>;
export type PinnedListing = Pin['listing'];
