import type { Severity } from '../../base/finding-schema.ts';
import type { KindId } from './kinds.ts';

/** What every room of the lab passes on. Plain data: it crosses threads and is kept as JSON. */

export const depths = ['quick', 'standard', 'deep'] as const;
export type Depth = (typeof depths)[number];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonRecord = { readonly [key: string]: Json };

export function isJsonRecord(value: Json | undefined): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export type Facts = { readonly [key: string]: Json };

/** What a file is, by its content alone. */
export interface Kind {
  readonly id: KindId;
  /** For people: `PE32+ executable for x86-64 (console)`. Ours, never words of the file. */
  readonly title: string;
  readonly mime: string;
  /** What the name claims, where it claims something else. */
  readonly nameMismatch?: string;
  /** Other kinds that the same bytes are as well: a polyglot. */
  readonly also?: readonly KindId[];
}

/** How a claim is known: bytes that lie there, something the code can do or did, or how the file is built. */
export const evidenceTypes = ['artifact', 'behaviour', 'structural'] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

export interface LabEvidence {
  /** Where: `section .text`, `offset 0x1f0`, `stream VBA/ThisDocument`, `line 12`. */
  readonly where: string;
  /** An excerpt of the sample, at most 400 characters: untrusted. */
  readonly text: string;
}

/** One observation, in neutral words: what is there, what it can mean, and what harmless thing has it too. */
export interface LabFinding {
  /** Small words with dots: `pe.section.writable-code`. The same rule always has the same id. */
  readonly rule: string;
  /** Ours, without words of the sample. */
  readonly title: string;
  readonly severity: Severity;
  readonly evidenceType: EvidenceType;
  /** At most ten; the first are the best. */
  readonly evidence: readonly LabEvidence[];
  /** When harmless software has this too. */
  readonly benign: string;
  /** Technique ids: `T1055`, `T1059.001`. */
  readonly attack?: readonly string[];
  /** Malware Behavior Catalog ids: `F0001`, `B0009.012`. */
  readonly mbc?: readonly string[];
}

/** Text of a sample in which indicators are looked for, such as decoded layers. */
export interface SampleText {
  readonly label: string;
  readonly text: string;
}

/** A file that lies inside another one, or came out of it. */
export interface Child {
  /** As the sample calls it: untrusted, never a path to write to. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** `stream 7, FlateDecode`, `attachment`, `overlay`. */
  readonly how: string;
}

export interface AnalyserInput {
  readonly bytes: Uint8Array;
  readonly kind: Kind;
  /** The base name: untrusted, for facts such as double extensions only. */
  readonly name: string;
  readonly depth: Depth;
  /** Tried on what is encrypted. */
  readonly passwords: readonly string[];
  /** Folders of further YARA rules. */
  readonly rulesFolders: readonly string[];
  /** Throws when the time is up: asked in every loop over what the sample says. */
  readonly tick: () => void;
}

export interface AnalyserResult {
  readonly facts: Facts;
  readonly findings: readonly LabFinding[];
  readonly texts: readonly SampleText[];
  readonly children: readonly Child[];
  /** What could not be read, and why. Not empty: the result is partial. */
  readonly notes: readonly string[];
}

/** One analyser is one file that exports one definition, and one line in the list. */
export interface Analyser {
  readonly id: string;
  readonly title: string;
  /** Raised when its results change: part of the key under which results are kept. */
  readonly version: number;
  readonly kinds: readonly KindId[] | 'any';
  readonly depth: Depth;
  readonly timeoutMs: number;
  /** Never throws for what a sample does wrong: that is a note. */
  analyse(input: AnalyserInput): AnalyserResult | Promise<AnalyserResult>;
}

export interface AnalyserRun {
  readonly analyser: string;
  readonly version: number;
  readonly status: 'done' | 'partial' | 'timed-out' | 'failed';
  readonly elapsedMs: number;
  readonly result: AnalyserResult;
}

export const noResult: AnalyserResult = { facts: {}, findings: [], texts: [], children: [], notes: [] };
