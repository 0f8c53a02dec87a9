import type { Finding, Location, Severity } from '../../base/finding-schema.ts';
import { formatJson } from '../../base/format-json.ts';
import type { Report, Subject, Suppression } from '../../base/report-schema.ts';
import { forTerminal } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';
import type { Renderer, RenderInput } from '../renderer.ts';
import type { RuleText } from '../rule-text.ts';

/** SARIF 2.1.0 as GitHub takes it: a place for every result, fingerprints, a number for the severity, help for rules. */

const levels: Readonly<Record<Severity, 'note' | 'warning' | 'error'>> = {
  info: 'note',
  low: 'note',
  medium: 'warning',
  high: 'error',
  critical: 'error',
};

/** In the middle of GitHub's bands. */
const scores: Readonly<Record<Severity, string>> = {
  info: '0.0',
  low: '3.0',
  medium: '5.5',
  high: '8.0',
  critical: '9.5',
};

/** A result without a file of its own is put at the manifest, because GitHub shows none without a place. */
const fallbackPath = 'package.json';
const excerptBytes = 2000;

/** A file of the target; or a place on the network, which is an address by itself. */
function artifactOf(path: string) {
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(path)) return { uri: path };
  return { uri: encodeURI(path).replaceAll('#', '%23').replaceAll('?', '%3F'), uriBaseId: 'TARGET' };
}

function placeOf({ path, line, column, endLine }: Location) {
  return {
    artifactLocation: artifactOf(path),
    region: {
      startLine: line ?? 1,
      ...(column === undefined ? {} : { startColumn: column }),
      ...(endLine === undefined || endLine < (line ?? 1) ? {} : { endLine }),
    },
  };
}

function flowOf(locations: readonly Location[]) {
  if (locations.length < 2) return {};
  const steps = locations.map((location) => ({
    location: { physicalLocation: placeOf(location), message: { text: location.step ?? location.path } },
  }));
  return { codeFlows: [{ threadFlows: [{ locations: steps }] }] };
}

function describeEvidence({ evidence }: Finding): string {
  return evidence
    .slice(0, 3)
    .map(({ ref, excerpt }) => {
      const shown = forTerminal(asUntrusted(excerpt, excerptBytes), { keepLines: true });
      // Lines of a stranger stand further in, so that none of them passes for one of ours.
      return `${ref}: ${shown.includes('\n') ? `\n${shown.replace(/^/gm, '    ')}` : shown}`;
    })
    .join('\n');
}

function resultOf(finding: Finding, subject: Subject, ruleIndex: number, suppression?: Suppression) {
  const { id, rule, title, severity, axis, evidenceClass, locations } = finding;
  const last = locations.at(-1) ?? { path: fallbackPath };
  const proof = describeEvidence(finding);
  return {
    ruleId: rule,
    ruleIndex,
    level: levels[severity],
    message: { text: proof === '' ? title : `${title}\n${proof}` },
    locations: [{ physicalLocation: placeOf(last) }],
    ...flowOf(locations),
    partialFingerprints: { 'hotcellFinding/v1': id },
    ...(suppression === undefined
      ? {}
      : {
          suppressions: [
            { kind: suppression.by === 'inline' ? 'inSource' : 'external', justification: suppression.reason },
          ],
        }),
    properties: { severity, axis, evidenceClass, target: subject.target.spec, 'security-severity': scores[severity] },
  };
}

function ruleOf(id: string, findings: readonly Finding[], texts: ReadonlyMap<string, RuleText>) {
  const text = texts.get(id);
  const [first] = findings;
  const severity = text?.severity ?? first?.severity ?? 'medium';
  const help = [text?.what, text?.why, text?.remediation ?? first?.remediation].filter((part) => part !== undefined);
  const markdown = [...help, ...(text === undefined ? [] : [`Fires on:\n\n\`\`\`\n${text.fires}\n\`\`\``])].join(
    '\n\n',
  );
  return {
    id,
    name: id.replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: text?.title ?? first?.title ?? id },
    fullDescription: { text: text?.what ?? first?.title ?? id },
    help: { text: help.join('\n\n') || id, markdown: markdown || id },
    defaultConfiguration: { level: levels[severity] },
    properties: {
      'security-severity': scores[severity],
      precision: 'high',
      tags: ['security', ...(text?.cwe ?? first?.cwe ?? []).map((cwe) => `external/cwe/${cwe.toLowerCase()}`)],
    },
  };
}

function notificationsOf(report: Report) {
  return report.subjects.flatMap(({ target, checks }) =>
    checks
      .filter(({ is }) => is === 'unknown')
      .map(({ title, because }) => ({
        level: 'warning' as const,
        message: { text: `${target.spec}: ${title} is unknown${because === undefined ? '' : `: ${because}`}` },
      })),
  );
}

function render({ report, rules }: RenderInput): string {
  const all = report.subjects.flatMap(({ findings, suppressed }) => [
    ...findings,
    ...suppressed.map(({ finding }) => finding),
  ]);
  const byRule = Map.groupBy(all, ({ rule }) => rule);
  const ids = [...byRule.keys()].sort();
  const texts = new Map(rules.map((rule) => [rule.id, rule]));
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const results = report.subjects.flatMap((subject) => [
    ...subject.findings.map((finding) => resultOf(finding, subject, indexOf.get(finding.rule) ?? 0)),
    ...subject.suppressed.map((each) => resultOf(each.finding, subject, indexOf.get(each.finding.rule) ?? 0, each)),
  ]);
  const notifications = notificationsOf(report);
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Hotcell',
            semanticVersion: report.tool.version,
            rules: ids.map((id) => ruleOf(id, byRule.get(id) ?? [], texts)),
          },
        },
        automationDetails: { id: `hotcell/${report.instrument}/` },
        originalUriBaseIds: { TARGET: { description: { text: 'the root of the target' } } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: report.isComplete,
            startTimeUtc: report.startedAt,
            ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
          },
        ],
        results,
      },
    ],
  };
  return formatJson(document);
}

export const sarif: Renderer = {
  id: 'sarif',
  title: 'SARIF 2.1.0, for code scanning',
  endings: ['.sarif', '.sarif.json'],
  render,
};
