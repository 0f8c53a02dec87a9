import type { Finding } from '../base/finding-schema.ts';
import type { Suppression } from '../base/report-schema.ts';
import type { Sorted } from './baseline.ts';

/**
 * Suppressions written beside the code they are about, with the rule and a reason:
 *
 *     // hotcell-ignore taint/command: the name comes from a fixed list
 *
 * on the line itself or the one above. Without a reason it is none. Only for code of one's own: whoever calls this decides
 * that, since a package that could excuse itself would.
 */

const pattern = /hotcell-ignore\s+([a-z0-9]+(?:[-/][a-z0-9]+)*)\s*:\s*(\S.{2,400})/;
const trailing = /\s*(?:\*\/|-->)\s*$/;

export type ReadLines = (path: string) => readonly string[] | null;

function suppressionAt(line: string | undefined, rule: string): string | null {
  const [, named, reason] = pattern.exec(line ?? '') ?? [];
  return named === rule && reason !== undefined ? reason.replace(trailing, '').trim() : null;
}

function reasonFor({ rule, locations }: Finding, readLines: ReadLines): string | null {
  const place = locations.at(-1);
  if (place?.line === undefined) return null;
  const lines = readLines(place.path);
  if (lines === null) return null;
  const reason = suppressionAt(lines[place.line - 1], rule) ?? suppressionAt(lines[place.line - 2], rule);
  return reason !== null && reason.length >= 3 ? reason.slice(0, 512) : null;
}

export function applyInline(findings: readonly Finding[], readLines: ReadLines): Sorted {
  const kept: Finding[] = [];
  const suppressed: Suppression[] = [];
  for (const finding of findings) {
    const reason = reasonFor(finding, readLines);
    if (reason === null) kept.push(finding);
    else suppressed.push({ finding, by: 'inline', reason });
  }
  return { findings: kept, suppressed };
}
