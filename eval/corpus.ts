import { readFileSync } from 'node:fs';

/** One published server with a known answer. */
export interface CorpusEntry {
  readonly id: string;
  readonly ecosystem: string;
  readonly package: string;
  readonly version: string;
  readonly role: string;
  readonly class: string;
  readonly fixed_id?: string;
  readonly vulnerable_tool?: string;
  /** `yes`, or `no` and why. */
  readonly starts?: string;
}

export function readCorpus(): readonly CorpusEntry[] {
  const file: unknown = JSON.parse(readFileSync(new URL('corpus/corpus.json', import.meta.url), 'utf8'));
  return (file as { servers: readonly CorpusEntry[] }).servers;
}
