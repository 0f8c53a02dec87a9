import { type Facts, isJsonRecord, type Json, type LabFinding } from '../contract.ts';
import type { KindId } from '../kinds.ts';

/** What two samples have in common and what not, from what the analysers found in each. */

export interface ComparedSample {
  readonly name: string;
  readonly kind: KindId;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly entropy: number | null;
  /** Of every analyser that read it. */
  readonly facts: readonly Facts[];
  readonly findings: readonly LabFinding[];
  readonly strings: readonly string[];
}

export interface ListDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly common_count: number;
  readonly added_count: number;
  readonly removed_count: number;
}

export interface ValueDiff {
  readonly a: Json;
  readonly b: Json;
  readonly is_same: boolean;
}

export interface Similarity {
  /** 0 to 100, null where one of the hashes could not be made. */
  readonly ssdeep: number | null;
  /** A distance: 0 is the same. */
  readonly tlsh: number | null;
}

export interface SampleDiff {
  readonly is_identical: boolean;
  readonly kind: ValueDiff;
  readonly size_delta: number;
  readonly entropy_delta: number | null;
  readonly architecture: ValueDiff;
  readonly compiler: ValueDiff;
  readonly packer: ValueDiff;
  readonly import_hash: ValueDiff;
  readonly imports: ListDiff;
  readonly sections: ListDiff;
  readonly exports: ListDiff;
  readonly strings: ListDiff;
  readonly findings: ListDiff;
  readonly similarity: Similarity;
  readonly notes: readonly string[];
}

const mostListed = 100;

const fact = (sample: ComparedSample, ...names: readonly string[]): Json => {
  for (const name of names)
    for (const facts of sample.facts) if (facts[name] !== undefined && facts[name] !== null) return facts[name];
  return null;
};

const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function importsOf(sample: ComparedSample): readonly string[] {
  const libraries = sample.facts.flatMap((facts) => [
    ...listOf(facts.imports ?? null),
    ...listOf(facts.delay_imports ?? null),
    ...listOf(facts.platform_calls ?? null),
  ]);
  const byLibrary = libraries.flatMap((entry) => {
    if (!isJsonRecord(entry)) return [textOf(entry)];
    return listOf(entry.functions ?? null).map((name) => `${textOf(entry.dll).toLowerCase()}!${textOf(name)}`);
  });
  const plain = sample.facts.flatMap((facts) => listOf(facts.imported_functions ?? null).map(textOf));
  return [...byLibrary, ...plain].filter((name) => name !== '');
}

const namesIn = (sample: ComparedSample, name: string): readonly string[] =>
  sample.facts
    .flatMap((facts) =>
      listOf(facts[name] ?? null).map((entry) => (isJsonRecord(entry) ? textOf(entry.name) : textOf(entry))),
    )
    .filter((text) => text !== '');

const exportsOf = (sample: ComparedSample): readonly string[] => [
  ...namesIn(sample, 'exports'),
  ...namesIn(sample, 'exported_symbols'),
];

function diffLists(a: readonly string[], b: readonly string[]): ListDiff {
  const [left, right] = [new Set(a), new Set(b)];
  const added = [...right].filter((item) => !left.has(item));
  const removed = [...left].filter((item) => !right.has(item));
  return {
    added: added.slice(0, mostListed),
    removed: removed.slice(0, mostListed),
    common_count: left.size - removed.length,
    added_count: added.length,
    removed_count: removed.length,
  };
}

const diffValues = (a: Json, b: Json): ValueDiff => ({ a, b, is_same: JSON.stringify(a) === JSON.stringify(b) });

function notesOn(a: ComparedSample, b: ComparedSample, packer: ValueDiff): readonly string[] {
  return [
    ...(a.sha256 === b.sha256 ? ['Both are the same bytes.'] : []),
    ...(a.kind === b.kind ? [] : ['The files are of different kinds; lists of one may not exist in the other.']),
    ...(packer.a !== null || packer.b !== null
      ? ['At least one of them is packed: its imports and strings are those of the loader.']
      : []),
  ];
}

/** `added` is what only b has, `removed` what only a has. */
export function compareSamples(
  a: ComparedSample,
  b: ComparedSample,
  similarity: Similarity = { ssdeep: null, tlsh: null },
): SampleDiff {
  const values = (...names: readonly string[]): ValueDiff => diffValues(fact(a, ...names), fact(b, ...names));
  const packer = values('packer');
  return {
    is_identical: a.sha256 === b.sha256,
    kind: diffValues(a.kind, b.kind),
    size_delta: b.sizeBytes - a.sizeBytes,
    entropy_delta: a.entropy === null || b.entropy === null ? null : Math.round((b.entropy - a.entropy) * 1000) / 1000,
    architecture: values('machine', 'architecture'),
    compiler: values('compiler', 'compilers', 'linker_version'),
    packer,
    import_hash: values('imphash', 'import_hash'),
    imports: diffLists(importsOf(a), importsOf(b)),
    sections: diffLists(namesIn(a, 'sections'), namesIn(b, 'sections')),
    exports: diffLists(exportsOf(a), exportsOf(b)),
    strings: diffLists(a.strings, b.strings),
    findings: diffLists(
      a.findings.map(({ rule }) => rule),
      b.findings.map(({ rule }) => rule),
    ),
    similarity,
    notes: notesOn(a, b, packer),
  };
}
