import type { Analysis, Proof } from '../../base/analysis-schema.ts';
import { isComplete } from '../../base/event-schema.ts';
import { axes, evidenceClasses, type Finding } from '../../base/finding-schema.ts';
import { forTerminal } from '../../base/untrusted.ts';
import { asUntrusted } from '../excerpt.ts';
import { fenced, inline, inlineBytes } from './markdown-text.ts';

/** What a run adds to a comment on a pull request: the verdict, how much it rests on, each proof, what it needs. */

const mostLines = 12;
const stderrBytes = 1500;

const bands: Readonly<Record<Analysis['verdict']['band'], string>> = {
  fails: 'Fails',
  warns: 'Warns',
  passes: 'Passes',
  unknown: 'Inconclusive',
};

function verdictTable({ verdict }: Analysis, findings: readonly Finding[]): string {
  const rows = axes.map((axis) => {
    const { label, because } = verdict.axes[axis];
    const deciding = findings.filter(({ id }) => because.includes(id));
    const best = evidenceClasses.find((each) => deciding.some(({ evidenceClass }) => evidenceClass === each));
    const [first] = deciding;
    const more = deciding.length > 1 ? ` and ${deciding.length - 1} more` : '';
    return `| ${axis} | **${inline(label)}** | ${best ?? ''} | ${first === undefined ? '' : `${inline(first.title)}${more}`} |`;
  });
  return ['| axis | verdict | evidence | because |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function headline({ verdict: { band, risk, isComplete: isWhole } }: Analysis): string {
  const word = band === 'passes' && !isWhole ? bands.unknown : bands[band];
  const known = isWhole ? '' : ' Not everything is known: silence proves nothing there.';
  return risk === null
    ? `**${word}**: too little is known to say.${known}`
    : `**${word}**: risk ${risk} of 100.${known}`;
}

function coverageLine({ verdict: { coverage }, completeness: { sensors } }: Analysis): string {
  const { tools, parameters, phases, missing } = coverage;
  const whole = sensors.filter(isComplete).length;
  const parts = [
    `tools ${tools.exercised} of ${tools.all}`,
    `parameters ${parameters.tried} of ${parameters.all}`,
    `phases ${phases.length === 0 ? 'none' : phases.map(inline).join(', ')}`,
    `sensors that saw everything ${whole} of ${sensors.length}`,
  ];
  const not = missing.slice(0, mostLines).map((each) => `- ${inline(each)}`);
  return [`**Coverage:** ${parts.join('; ')}.`, ...(not.length === 0 ? [] : ['', 'Not done:', '', ...not])].join('\n');
}

function failedStart({ start }: Analysis): readonly string[] {
  if (start.isStarted) return [];
  const guess = start.guess === undefined ? '' : ` ${inline(start.guess)}`;
  const tail = start.stderrTail;
  return [
    `**It did not start, so nothing it would have done was seen.**${guess}`,
    ...(tail === undefined ? [] : [fenced(forTerminal(asUntrusted(tail, stderrBytes), { keepLines: true }))]),
  ];
}

export function renderAnalysis(analysis: Analysis, findings: readonly Finding[]): readonly string[] {
  return [headline(analysis), verdictTable(analysis, findings), coverageLine(analysis), ...failedStart(analysis)];
}

export function renderProof({ steps }: Proof): readonly string[] {
  if (steps.length === 0) return [];
  const lines = steps.map(({ kind, title, detail, event }, at) => {
    const place = event === undefined ? '' : ` (event ${event})`;
    return `${at + 1}. *${kind}* ${inline(title)}: ${inlineBytes(detail)}${place}`;
  });
  return [lines.join('\n')];
}

function some(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - mostLines;
  return [...lines.slice(0, mostLines), ...(more > 0 ? [`- ${more} more ${what}`] : [])];
}

export function renderPolicy({ policy, refused }: Analysis): readonly string[] {
  const why = (reason: string | undefined): string => (reason === undefined ? '' : `: ${inline(reason)}`);
  const needs =
    policy === null
      ? ['- It never ran, so nothing is known about what it needs.']
      : [
          ...policy.files.map((rule) => `- ${rule.access} ${inline(rule.path)}${why(rule.why)}`),
          ...policy.network.rules.map((rule) => `- connect ${inline(rule.host)}:${rule.port}${why(rule.why)}`),
          ...policy.environment.map((rule) => `- variable ${inline(rule.name)}${why(rule.why)}`),
        ];
  const denied = refused.map((each) => `- ${inline(each.what)}: ${inline(each.why)}`);
  return [
    '### Least privilege',
    [...(policy === null ? [] : [`- network ${policy.network.mode}`]), ...some(needs, 'lines')].join('\n'),
    ...(denied.length === 0 ? [] : ['Tried, and refused:', some(denied, 'refused').join('\n')]),
  ];
}
