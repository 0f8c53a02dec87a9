import type { Facts, LabFinding, SampleText } from '../../contract.ts';

export interface ParsedOutput {
  readonly findings: readonly LabFinding[];
  readonly facts: Facts;
  readonly texts: readonly SampleText[];
  /** What was not understood. Empty for output as the tool documents it. */
  readonly notes: readonly string[];
}

/** Given the whole output before any shortening. What is garbage becomes a note. */
export interface ToolParser {
  readonly id: string;
  parse(text: string): ParsedOutput;
}

export const nothingParsed: ParsedOutput = { findings: [], facts: {}, texts: [], notes: [] };

export const mostFindings = 500;
export const mostListed = 200;
const mostExcerpt = 400;
const mostEvidence = 10;

export function excerpt(text: string): string {
  return text.length <= mostExcerpt ? text : `${text.slice(0, mostExcerpt - 1)}…`;
}

export function evidenceOf(where: string, texts: readonly string[]): LabFinding['evidence'] {
  return texts.slice(0, mostEvidence).map((text) => ({ where: excerpt(where), text: excerpt(text) }));
}

/** A name that a tool prints, as part of a title: visible ASCII only, and short. */
export function plainName(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 120);
}

export function listed<Item>(items: readonly Item[], most: number = mostListed): readonly Item[] {
  return items.slice(0, most);
}

/** Lines without their ends. Bounded, so that a file of line ends alone costs little. */
export function linesOf(text: string, most = 200_000): readonly string[] {
  const lines = text.split('\n', most);
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first JSON document of an output that may begin with warnings. */
export function readJson(text: string): unknown {
  for (let at = text.indexOf('{'), tries = 0; at !== -1 && tries < 8; at = text.indexOf('{', at + 1), tries += 1) {
    const end = text.lastIndexOf('}');
    if (end < at) return undefined;
    try {
      return JSON.parse(text.slice(at, end + 1));
    } catch {
      // The next brace may be the document's.
    }
  }
  return undefined;
}
