import type { LabReport, ReportFinding } from '../report/schema.ts';

/** A few sentences for somebody who reads nothing else. They say what was seen and never whether it is good or bad. */

type Parts = Pick<
  LabReport,
  'file' | 'findings' | 'indicator_counts' | 'inner_files' | 'analysers' | 'tools' | 'not_run' | 'detonation'
>;

const mostTitles = 5;

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function notable(findings: readonly ReportFinding[]): readonly string[] {
  const titles = findings.filter(({ severity }) => severity !== 'info').map(({ title }) => title);
  return [...new Set(titles)].slice(0, mostTitles);
}

function behaviourLine(findings: readonly ReportFinding[]): string {
  const of = (type: ReportFinding['evidence_type']): number =>
    findings.filter(({ evidence_type: own, severity }) => own === type && severity !== 'info').length;
  const parts = [
    plural(of('behaviour'), 'observation of code or conduct', 'observations of code or conduct'),
    plural(of('structural'), 'of how the file is built', 'of how the file is built'),
    plural(of('artifact'), 'of bytes that merely lie in it', 'of bytes that merely lie in it'),
  ];
  return `${parts.join(', ')}.`;
}

function gaps({ analysers, tools, not_run: notRun }: Parts): string | null {
  const cut = [...analysers, ...tools].filter(
    ({ status }) => !['done', 'clean', 'findings', 'not-applicable'].includes(status),
  );
  const missing = notRun.filter(({ because }) => because.includes('not installed')).length;
  const parts = [
    ...(cut.length === 0 ? [] : [`not whole: ${cut.map(({ id, status }) => `${id} (${status})`).join(', ')}`]),
    ...(missing === 0
      ? []
      : [`${plural(missing, 'external tool')} of this depth ${missing === 1 ? 'is' : 'are'} not installed`]),
  ];
  return parts.length === 0 ? null : `What is missing: ${parts.join('; ')}.`;
}

export function summarise(parts: Parts): string[] {
  const { file, findings, inner_files: inner, indicator_counts: counts, detonation } = parts;
  const titles = notable(findings);
  const indicators = Object.entries(counts).filter(([, count]) => count > 0);
  const mismatch = file.kind.nameMismatch === undefined ? '' : ` Its name claims ${file.kind.nameMismatch}.`;
  const missing = gaps(parts);
  return [
    `${file.kind.title}, ${file.size_bytes} bytes.${mismatch}`,
    titles.length === 0
      ? 'Nothing in it stands out; that is no proof that it is harmless.'
      : `What stands out: ${titles.join('; ')}.`,
    ...(titles.length === 0 ? [] : [behaviourLine(findings)]),
    ...(inner.length === 0 ? [] : [`${plural(inner.length, 'inner file')} came out of it.`]),
    ...(indicators.length === 0
      ? []
      : [`Indicators: ${indicators.map(([type, count]) => `${count} ${type}`).join(', ')}.`]),
    ...(detonation === null
      ? []
      : [`It was ${detonation.status === 'done' ? 'run in a cell' : 'not run'}: ${detonation.because}`]),
    ...(missing === null ? [] : [missing]),
  ];
}
