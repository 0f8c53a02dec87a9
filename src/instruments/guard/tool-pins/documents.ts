import { z } from 'zod';
import { sha256 } from '../../../base/fingerprint.ts';
import { kibibyte } from '../../../base/limits.ts';
import { guardModes } from '../contract.ts';

/** What is kept of what servers offer. One head per server, subject and part; one document for each entry below it. */

const moment = z.iso.datetime();
const fieldsSchema = z.record(z.string().max(300), z.string().max(512 * kibibyte));

/** Of an entry, field by field, as text that can be compared line by line. */
export type EntryFields = z.infer<typeof fieldsSchema>;

const versionSchema = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{64}$/),
  fields: fieldsSchema,
  at: moment,
});

export const changeKinds = ['added', 'changed', 'removed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const placeShape = {
  server: z.string().max(1000),
  subject: z.string().max(4200),
  part: z.string().max(100),
};

export const headSchema = z.strictObject({
  ...placeShape,
  /** Goes up with every change below it, from a number that no earlier one had, so that nobody has to look at all entries to see that nothing changed. */
  changes: z.int().min(1),
  /** Until when further pages of the very first list belong to it. Null once that list has come to its end. */
  openUntil: moment.nullable(),
  pinnedAt: moment,
});
export type PinHead = z.infer<typeof headSchema>;

export const entrySchema = z.strictObject({
  ...placeShape,
  /** As the server gave it, cut. */
  name: z.string().max(2000),
  /** Null for what nobody has approved yet. */
  approved: versionSchema.nullable(),
  held: z
    .strictObject({
      is: z.enum(changeKinds),
      /** Null for what is gone. */
      offered: versionSchema.nullable(),
      at: moment,
      mode: z.enum(guardModes),
    })
    .nullable(),
});
export type PinEntry = z.infer<typeof entrySchema>;
export type EntryVersion = z.infer<typeof versionSchema>;

export const askSchema = z.strictObject({
  server: z.string().max(1000),
  tool: z.string().max(2000),
  /** How often it was asked for since somebody last said something. */
  waiting: z.int().min(0),
  /** Calls that are still allowed, or all of them. */
  allowed: z.union([z.int().min(0), z.literal('always')]),
  at: moment,
});
export type Ask = z.infer<typeof askSchema>;

export const headsDefinition = { name: 'pin-heads', schema: headSchema, mostDocuments: 20_000 };
export const entriesDefinition = { name: 'pin-entries', schema: entrySchema, mostDocuments: 200_000 };
export const asksDefinition = { name: 'tool-asks', schema: askSchema, mostDocuments: 20_000 };

export interface PinPlace {
  readonly server: string;
  readonly subject: string;
}

function short(text: string): string {
  return sha256(text).slice(0, 32);
}

/** Hashes, since servers choose their own names. */
export function serverPrefix(server: string): string {
  return `${short(server)}.`;
}

export function placePrefix({ server, subject }: PinPlace): string {
  return `${serverPrefix(server)}${short(subject)}.`;
}

export function headKey(place: PinPlace, part: string): string {
  return `${placePrefix(place)}${short(part)}`;
}

export function entryKey(head: string, identity: string): string {
  return `${head}.${short(identity)}`;
}

export function askKey(server: string, tool: string): string {
  return `${serverPrefix(server)}${short(tool)}`;
}
