import type { Proof } from '../../base/analysis-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import { type Report, type Subject, worstFirst } from '../../base/report-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';
import type { Renderer } from '../renderer.ts';
import { countBySeverity, describeTarget, placeText } from '../words.ts';
import { renderAnalysis, renderPolicy, renderProof } from './markdown-analysis.ts';
import { fenced, inline } from './markdown-text.ts';

const excerptBytes = 1200;

/** Ids are plain words by their schema; one that is not is text like any other. */
function plainTag(tag: string): string {
  return /^[\w /.-]+$/.test(tag) ? tag : inline(tag);
}

function renderFinding(finding: Finding, proofs: readonly Proof[]): string {
  const { title, severity, rule, evidenceClass, cwe, owasp, locations, evidence, remediation, id, repro } = finding;
  const tags = [`evidence ${evidenceClass}`, ...cwe, ...owasp, `rule ${rule}`, `id ${id}`].map(plainTag).join(' · ');
  const way =
    locations.length < 2
      ? []
      : [locations.map((each, at) => `${at + 1}. ${inline(placeText(each))}: ${inline(each.step ?? '')}`).join('\n')];
  const only = locations.length === 1 && locations[0] !== undefined ? [inline(placeText(locations[0]))] : [];
  const excerpts = evidence.map(
    ({ ref, excerpt }) =>
      `${inline(ref)}\n\n${fenced(forTerminal(asUntrusted(excerpt, excerptBytes), { keepLines: true }))}`,
  );
  return [
    `### ${severity}: ${inline(title)}`,
    tags,
    ...only,
    ...way,
    ...proofs.filter((proof) => proof.finding === id).flatMap(renderProof),
    ...excerpts,
    `**Remedy:** ${inline(remediation)}`,
    ...(repro === undefined ? [] : [`See it again:\n\n${fenced(forTerminal(untrusted(repro)))}`]),
  ].join('\n\n');
}

function renderSubject(subject: Subject): string {
  const { findings, suppressed, checks, analysis } = subject;
  const rows = checks.map(({ title, is, because, facts }) => {
    const details = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
    return `| ${inline(title)} | ${is} | ${inline([because ?? '', ...details].filter((part) => part !== '').join('; '))} |`;
  });
  return [
    `## ${inline(describeTarget(subject))}`,
    ...(analysis === undefined ? [] : renderAnalysis(analysis, findings)),
    findings.length === 0 ? 'Nothing was found.' : `Found: ${countBySeverity(findings)}.`,
    ...worstFirst(findings).map((finding) => renderFinding(finding, analysis?.proofs ?? [])),
    ...(analysis === undefined ? [] : renderPolicy(analysis)),
    ...(suppressed.length === 0
      ? []
      : [
          '### Suppressed',
          suppressed
            .map(({ finding, by, reason }) => `- ${inline(finding.title)} (${by}: ${inline(reason)})`)
            .join('\n'),
        ]),
    ...(rows.length === 0
      ? []
      : ['### What was looked at', ['| check | outcome | details |', '| --- | --- | --- |', ...rows].join('\n')]),
  ].join('\n\n');
}

function headline({ isComplete, subjects }: Report): string {
  const all = subjects.flatMap(({ findings }) => findings);
  const found = all.length === 0 ? 'no findings' : countBySeverity(all);
  return `${found}; ${isComplete ? 'everything was looked at' : 'not everything could be looked at: silence proves nothing there'}.`;
}

export const markdown: Renderer = {
  id: 'markdown',
  title: 'Markdown, for a pull request or a ticket',
  endings: ['.md', '.markdown'],
  render: ({ report }) =>
    `${[`# Hotcell ${report.instrument}`, headline(report), ...report.subjects.map(renderSubject)].join('\n\n')}\n`,
};
