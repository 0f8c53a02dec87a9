import type { AnalyserInput, AnalyserResult, Child, Json, LabFinding, SampleText } from '../../contract.ts';
import { OutOfBounds } from '../reader.ts';
import { tidy } from './wording.ts';

/** What the parts of an analyser put together. One part that cannot be read leaves the others as they are. */
export interface Gathering {
  readonly input: AnalyserInput;
  readonly facts: Record<string, Json>;
  readonly findings: LabFinding[];
  readonly texts: SampleText[];
  readonly children: Child[];
  readonly notes: string[];
  /** Runs one part; where the data ends before its structures do, that is a note. */
  part(name: string, read: () => void): void;
  find(finding: FindingDraft): void;
  /** Pieces that overlap could be far more than the file: twice its length is the end. */
  child(child: Child): void;
  text(label: string, text: string): void;
}

export interface FindingDraft extends Omit<LabFinding, 'evidence'> {
  readonly evidence: readonly { readonly where: string; readonly text: string }[];
}

const mostChildren = 200;
const mostTextCharacters = 4 * 1024 * 1024;

export function makeGathering(input: AnalyserInput): Gathering {
  const gathering: Gathering = {
    input,
    facts: {},
    findings: [],
    texts: [],
    children: [],
    notes: [],
    part(name, read) {
      try {
        read();
      } catch (error) {
        if (!(error instanceof OutOfBounds)) throw error;
        gathering.notes.push(`${name}: the file ends before the structure does`);
      }
    },
    find(finding) {
      const evidence = finding.evidence.slice(0, 10);
      gathering.findings.push({
        ...finding,
        evidence: evidence.map(({ where, text }) => ({ where: tidy(where, 200), text: tidy(text, 400) })),
      });
    },
    child(child) {
      const held = gathering.children.reduce((sum, one) => sum + one.bytes.length, 0);
      if (gathering.children.length < mostChildren && held + child.bytes.length <= 2 * input.bytes.length)
        gathering.children.push({ ...child, name: tidy(child.name, 200) });
      else if (!gathering.notes.includes(tooManyChildren)) gathering.notes.push(tooManyChildren);
    },
    text(label, text) {
      if (text !== '') gathering.texts.push({ label, text: text.slice(0, mostTextCharacters) });
    },
  };
  return gathering;
}

const tooManyChildren = 'more embedded files than are kept';

export function resultOf({ facts, findings, texts, children, notes }: Gathering): AnalyserResult {
  return { facts, findings, texts, children, notes: [...new Set(notes)].slice(0, 100) };
}
