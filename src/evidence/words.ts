import { type Finding, type Location, severities } from '../base/finding-schema.ts';
import type { Subject } from '../base/report-schema.ts';

/** Phrases that all documents for people share. */

export function countBySeverity(findings: readonly Pick<Finding, 'severity'>[]): string {
  return severities
    .toReversed()
    .flatMap((severity) => {
      const count = findings.filter((finding) => finding.severity === severity).length;
      return count === 0 ? [] : [`${count} ${severity}`];
    })
    .join(', ');
}

export function describeTarget({ target: { kind, spec, resolved } }: Pick<Subject, 'target'>): string {
  return resolved === undefined ? `${kind} ${spec}` : `${resolved.name} ${resolved.version} (${spec})`;
}

export function placeText({ path, line, column }: Location): string {
  return [path, ...(line === undefined ? [] : [line, ...(column === undefined ? [] : [column])])].join(':');
}
