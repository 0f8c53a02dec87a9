import type { Severity } from '../../../../base/finding-schema.ts';
import type { AnalyserResult, Child, Json, LabEvidence, LabFinding, SampleText } from '../../contract.ts';

/** Takes what an analyser finds and holds it to the caps, so that no sample makes a result without end. */

export interface FindingKind {
  readonly rule: string;
  readonly title: string;
  readonly severity: Severity;
  readonly evidenceType: LabFinding['evidenceType'];
  readonly benign: string;
  readonly attack?: readonly string[];
  readonly mbc?: readonly string[];
}

export interface Collector {
  fact(key: string, value: Json): void;
  /** A rule that is met again adds evidence to the finding that stands. */
  finding(kind: FindingKind, ...evidence: readonly LabEvidence[]): void;
  text(label: string, text: string): void;
  child(name: string, bytes: Uint8Array, how: string): void;
  note(text: string): void;
  /** The key with the first values of a list; how many there were when that is not all. */
  list(key: string, values: readonly Json[], cap?: number): void;
  hasFact(key: string): boolean;
  result(): AnalyserResult;
}

const caps = {
  texts: 200,
  textCharacters: 512 * 1024,
  allTextCharacters: 4 * 1024 * 1024,
  children: 200,
  childBytes: 128 * 1024 * 1024,
  notes: 40,
  evidence: 10,
  excerpt: 400,
  name: 260,
  factText: 2000,
} as const;

export function excerpt(text: string): string {
  return text.length <= caps.excerpt ? text : `${text.slice(0, caps.excerpt - 1)}…`;
}

/** Text of the sample inside facts is cut too: an author of one megabyte is no author. */
function bounded(value: Json): Json {
  if (typeof value === 'string') return value.length <= caps.factText ? value : `${value.slice(0, caps.factText)}…`;
  if (Array.isArray(value)) return value.map(bounded);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bounded(inner)]));
  }
  return value;
}

export function createCollector(): Collector {
  const facts: Record<string, Json> = {};
  const findings = new Map<string, { kind: FindingKind; evidence: LabEvidence[] }>();
  const texts: SampleText[] = [];
  const children: Child[] = [];
  const notes: string[] = [];
  let characters = 0;
  let childBytes = 0;

  const note = (text: string): void => {
    if (notes.length < caps.notes && !notes.includes(text)) notes.push(text);
  };

  return {
    fact(key, value) {
      facts[key] = bounded(value);
    },
    finding(kind, ...evidence) {
      const standing = findings.get(kind.rule) ?? { kind, evidence: [] };
      findings.set(kind.rule, standing);
      for (const { where, text } of evidence) {
        const cutDown = { where: excerpt(visibleWhere(where)), text: excerpt(text) };
        const isKnown = standing.evidence.some((one) => one.where === cutDown.where && one.text === cutDown.text);
        if (!isKnown && standing.evidence.length < caps.evidence) standing.evidence.push(cutDown);
      }
    },
    text(label, text) {
      if (text.trim() === '') return;
      if (texts.length >= caps.texts || characters >= caps.allTextCharacters) return note('more texts than are kept');
      const kept = text.slice(0, Math.min(caps.textCharacters, caps.allTextCharacters - characters));
      if (kept.length < text.length) note('a text was longer than is kept');
      characters += kept.length;
      texts.push({ label: label.slice(0, caps.name), text: kept });
    },
    child(name, bytes, how) {
      if (bytes.length === 0) return;
      if (children.length >= caps.children || childBytes + bytes.length > caps.childBytes) {
        return note('more embedded files than are taken out');
      }
      childBytes += bytes.length;
      // A copy: the child is handed to another thread, the sample stays.
      children.push({ name: name.slice(0, caps.name), bytes: Uint8Array.from(bytes), how });
    },
    note,
    list(key, values, cap = 50) {
      if (values.length === 0) return;
      facts[key] = bounded(values.slice(0, cap));
      if (values.length > cap) facts[`${key}_total`] = values.length;
    },
    hasFact: (key) => key in facts,
    result: () => ({
      facts,
      findings: [...findings.values()].map(({ kind, evidence }) => findingOf(kind, evidence)),
      texts,
      children,
      notes,
    }),
  };
}

/** Kinds come from tables that have more columns than a finding. */
function findingOf(kind: FindingKind, evidence: readonly LabEvidence[]): LabFinding {
  const { rule, title, severity, evidenceType, benign, attack, mbc } = kind;
  return { rule, title, severity, evidenceType, evidence, benign, ...(attack && { attack }), ...(mbc && { mbc }) };
}

function visibleWhere(where: string): string {
  return where.replace(
    /[\x00-\x1f\x7f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** Runs one part of an analyser: what goes wrong in it is a note, and the other parts still run. */
export function attempt(collector: Collector, what: string, part: () => void): void {
  try {
    part();
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)) throw error;
    collector.note(`${what} could not be read to the end`);
  }
}
