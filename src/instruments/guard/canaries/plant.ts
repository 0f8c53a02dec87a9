import { randomBytes } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import { fingerprint } from '../../../base/fingerprint.ts';
import { asArray, type JsonObject } from '../../../base/json-shape.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import {
  canariesDefinition,
  longestPattern,
  mostDownstream,
  type Planting,
  type StoredCanary,
  shortestPattern,
} from './documents.ts';

/** Tokens come into being here. The same place gets the same token again, so that a restart plants nothing new. */

export interface PlantOptions {
  readonly store: StoreHandle;
  readonly plantedIn: Planting;
  /** What belongs together; by default the server alone. */
  readonly chainId?: string;
  readonly downstream?: readonly string[];
  /** This very text is the token. */
  readonly pattern?: string;
}

export interface IssueOptions {
  readonly store: StoreHandle;
  readonly chainId: string;
  readonly source: string;
  readonly downstream: readonly string[];
  readonly pattern?: string;
}

function checkPattern(pattern: string): void {
  const isPlain = pattern.isWellFormed() && !/\p{Cc}/u.test(pattern);
  if (pattern.length < shortestPattern || pattern.length > longestPattern || !isPlain) {
    throw new UsageError(`a canary is ${shortestPattern} to ${longestPattern} visible characters long`);
  }
}

function makeToken(): string {
  return `__MCP_CANARY_${randomBytes(32).toString('hex')}__`;
}

export function plantToken({ store, plantedIn, chainId, downstream = [], pattern }: PlantOptions): StoredCanary {
  if (pattern !== undefined) checkPattern(pattern);
  if (downstream.length > mostDownstream) {
    throw new UsageError(`a canary is followed through at most ${mostDownstream} servers`);
  }
  const chain = chainId ?? `server ${plantedIn.server}`.slice(0, 200);
  const id = `cn_${fingerprint([chain, plantedIn, pattern ?? null]).slice(0, 16)}`;
  const stored = store.collection(canariesDefinition).change(id, (before) => ({
    id,
    chain,
    token: before?.token ?? pattern ?? makeToken(),
    plantedIn,
    downstream: [...new Set([...(before?.downstream ?? []), ...downstream])].slice(0, mostDownstream),
    createdAt: before?.createdAt ?? new Date().toISOString(),
  }));
  if (stored === null) throw new UsageError('the canary was not kept');
  return stored.value;
}

/** For a place that the caller plants it in. With a pattern, that very pattern is searched for and handed back. */
export function issueCanary({ store, chainId, source, downstream, pattern }: IssueOptions): StoredCanary {
  const plantedIn: Planting = { server: source, kind: 'issued', name: '' };
  return plantToken({ store, plantedIn, chainId, downstream, ...(pattern === undefined ? {} : { pattern }) });
}

export function listCanaries(store: StoreHandle): readonly StoredCanary[] {
  return store
    .collection(canariesDefinition)
    .list()
    .map(({ value }) => value);
}

export function forgetCanary(store: StoreHandle, id: string): boolean {
  return store.collection(canariesDefinition).remove(id);
}

/**
 * The answer of a tool with one line more, which says nothing to a model and is not meant for people. Null where the
 * answer has no place for it.
 */
export function markResult(result: JsonObject, token: string): JsonObject | null {
  if (!Array.isArray(result.content) && result.content !== undefined) return null;
  if (result.isError === true) return null;
  const line = { type: 'text', text: `[reference ${token}]`, annotations: { audience: ['assistant'], priority: 0 } };
  return { ...result, content: [...asArray(result.content), line] };
}
