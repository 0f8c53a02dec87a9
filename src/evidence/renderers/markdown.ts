import type { Finding } from '../../base/finding-schema.ts';
import { type Report, type Subject, worstFirst } from '../../base/report-schema.ts';
import { forTerminal, untrusted } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';
import type { Renderer } from '../renderer.ts';
import { countBySeverity, describeTarget, placeText } from '../words.ts';

const excerptBytes = 1200;

/** Text of a target in a line of Markdown: visible, and nothing in it is markup. */
function inline(text: string): string {
  return forTerminal(untrusted(text)).replace(/[\\`*_{}[\]()#+!|<>~-]/g, '\\$&');
}

function fenced(text: string): string {
  let fence = '```';
  while (text.includes(fence)) fence += '`';
  return `${fence}text\n${text}\n${fence}`;
}

function renderFinding(finding: Finding): string {
  const { title, severity, rule, evidenceClass, cwe, owasp, locations, evidence, remediation, id } = finding;
  const tags = [`evidence ${evidenceClass}`, ...cwe, ...owasp, `rule ${rule}`, `id ${id}`].join(' · ');
  const way =
    locations.length < 2
      ? []
      : [locations.map((each, at) => `${at + 1}. ${inline(placeText(each))}: ${inline(each.step ?? '')}`).join('\n')];
  const only = locations.length === 1 && locations[0] !== undefined ? [inline(placeText(locations[0]))] : [];
  const proofs = evidence.map(
    ({ ref, excerpt }) =>
      `${inline(ref)}\n\n${fenced(forTerminal(asUntrusted(excerpt, excerptBytes), { keepLines: true }))}`,
  );
  return [
    `### ${severity}: ${inline(title)}`,
    tags,
    ...only,
    ...way,
    ...proofs,
    `**Remedy:** ${inline(remediation)}`,
  ].join('\n\n');
}

function renderSubject(subject: Subject): string {
  const { findings, suppressed, checks } = subject;
  const rows = checks.map(({ title, is, because, facts }) => {
    const details = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
    return `| ${inline(title)} | ${is} | ${inline([because ?? '', ...details].filter((part) => part !== '').join('; '))} |`;
  });
  return [
    `## ${inline(describeTarget(subject))}`,
    findings.length === 0 ? 'Nothing was found.' : `Found: ${countBySeverity(findings)}.`,
    ...worstFirst(findings).map(renderFinding),
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
