import { z } from 'zod';
import { sha256 } from '../../../base/fingerprint.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/** Tokens and where they turned up, as the store keeps them for every guard of this machine. */

export const shortestPattern = 8;
export const longestPattern = 256;
export const mostDownstream = 32;

const name = z.string().max(2000);
const moment = z.iso.datetime();
const chain = z.string().min(1).max(200);

export const plantingKinds = ['environment', 'results', 'file', 'issued'] as const;
/** `issued`: somebody else plants it, wherever that is. */
export type PlantingKind = (typeof plantingKinds)[number];

const plantingSchema = z.strictObject({
  server: name,
  kind: z.enum(plantingKinds),
  /** Of the variable, the tool or the file; empty where that says nothing. */
  name,
});
export type Planting = z.infer<typeof plantingSchema>;

export const canarySchema = z.strictObject({
  id: z.string().regex(/^cn_[0-9a-f]{16}$/),
  chain,
  token: z.string().min(shortestPattern).max(longestPattern),
  plantedIn: plantingSchema,
  /** Servers that are known to stand behind the one it is planted in. */
  downstream: z.array(z.string().max(200)).max(mostDownstream),
  createdAt: moment,
});
export type StoredCanary = z.infer<typeof canarySchema>;

export const channels = ['arguments', 'results', 'stderr', 'files', 'network'] as const;

export const leakSchema = z.strictObject({
  chain,
  canary: z.string().max(100),
  plantedIn: plantingSchema,
  foundIn: z.strictObject({ server: name, channel: z.enum(channels), name }),
  /** `plain`, `base64`, `gzip of base64`, … */
  encoding: z.string().max(200),
  /** Whether that server was named as one that stands behind. */
  isDownstream: z.boolean(),
  count: z.int().min(1),
  firstAt: moment,
  lastAt: moment,
});
export type CanaryLeak = z.infer<typeof leakSchema>;

/** Tokens are searched for all at once, and each costs a little. */
export const canariesDefinition = { name: 'canaries', schema: canarySchema, mostDocuments: 500 };
export const leaksDefinition = { name: 'canary-leaks', schema: leakSchema, mostDocuments: 20_000 };

export function chainPrefix(chainId: string): string {
  return `${sha256(chainId).slice(0, 32)}.`;
}

export function leakKey({ chain: chainId, canary, foundIn, encoding }: Omit<CanaryLeak, 'count'>): string {
  const way = [canary, foundIn.server, foundIn.channel, foundIn.name, encoding];
  return `${chainPrefix(chainId)}${sha256(JSON.stringify(way)).slice(0, 32)}`;
}

const longestShown = 200;

/** Where a token was planted, in words that are safe to show. */
export function describePlanting({ server, kind, name: given }: Planting): string {
  const what = forTerminal(untrusted(given, longestShown));
  const places: Readonly<Record<PlantingKind, string>> = {
    environment: `the variable ${what} of ${server}`,
    results: what === '' ? `the results of ${server}` : `the results of the tool ${what} of ${server}`,
    file: `the file ${what} of ${server}`,
    issued: server,
  };
  return places[kind];
}
