import type { AnalyserResult, Child, LabFinding, SampleText } from '../../contract.ts';
import {
  mostChildBytes,
  mostChildren,
  mostEvidence,
  mostExcerptCharacters,
  mostFindings,
  mostNotes,
  mostTextCharacters,
  mostTexts,
} from './limits.ts';

/** What is left of the room for children of one run. */
export interface ChildBudget {
  count: number;
  bytes: number;
}

export const wholeChildBudget = (): ChildBudget => ({ count: mostChildren, bytes: mostChildBytes });

/** The children that fit; `notes` says how many do not. */
export function takeChildren(children: readonly Child[], budget: ChildBudget, notes: string[]): readonly Child[] {
  const taken: Child[] = [];
  for (const child of children) {
    if (budget.count < 1 || child.bytes.length > budget.bytes) continue;
    budget.count -= 1;
    budget.bytes -= child.bytes.length;
    taken.push(child);
  }
  const left = children.length - taken.length;
  if (left > 0)
    notes.push(`${left} of ${children.length} inner files were not kept: together they are too many or too large`);
  return taken;
}

function boundTexts(texts: readonly SampleText[], notes: string[]): readonly SampleText[] {
  const kept: SampleText[] = [];
  let room = mostTextCharacters;
  for (const { label, text } of texts.slice(0, mostTexts)) {
    if (room < 1) break;
    kept.push({ label, text: text.slice(0, room) });
    room -= text.length;
  }
  if (kept.length < texts.length || room < 0) notes.push('not all text was kept: it is too long');
  return kept;
}

function boundFinding(finding: LabFinding): LabFinding {
  return {
    ...finding,
    evidence: finding.evidence.slice(0, mostEvidence).map(({ where, text }) => ({
      where: where.slice(0, mostExcerptCharacters),
      text: text.slice(0, mostExcerptCharacters),
    })),
  };
}

/** A child may be a view into the sample; what leaves the thread is a copy of that part alone. */
function ownBytes(child: Child): Child {
  return { ...child, bytes: Uint8Array.from(child.bytes) };
}

/** What leaves a thread: no more of anything than the caps say, and a note for each that was reached. */
export function boundResult(result: AnalyserResult): AnalyserResult {
  const notes: string[] = [];
  if (result.findings.length > mostFindings) notes.push(`${result.findings.length} findings: the first are kept`);
  const children = takeChildren(result.children, wholeChildBudget(), notes).map(ownBytes);
  const texts = boundTexts(result.texts, notes);
  return {
    facts: result.facts,
    findings: result.findings.slice(0, mostFindings).map(boundFinding),
    texts,
    children,
    notes: [...result.notes.slice(0, mostNotes), ...notes],
  };
}
