import type { Finding, Severity } from '../../../base/finding-schema.ts';
import { type Check, type Report, type Subject, worstFirst } from '../../../base/report-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { asUntrusted } from '../../../evidence/excerpt.ts';
import { countBySeverity, describeTarget, placeText } from '../../../evidence/words.ts';
import { count, formatMs, type Terminal, wrap } from '../terminal/index.ts';

/** A report for a person at a terminal: the worst first, each with its place and the code that shows it. */

export interface RenderOptions {
  /** Everything about every finding; otherwise only what fits a screen. */
  readonly isDetailed: boolean;
}

const widest = 100;
const excerptLines = 6;
const excerptBytes = 1200;
const shownPerSubject = 25;
/** From this many further ones of a kind on, only their titles are shown. */
const fewestAlike = 2;
const shownAlike = 12;

const safe = (text: string): string => forTerminal(untrusted(text, 2000));

function paintSeverity(severity: Severity, { style }: Terminal): string {
  const text = severity.padEnd(8);
  if (severity === 'critical' || severity === 'high') return style.bad(style.strong(text));
  return severity === 'medium' ? style.warn(text) : style.faint(text);
}

function widthOf({ width }: Terminal): number {
  return Math.min(width, widest);
}

/** Code of the target, indented, control characters spelled out, cut where a screen ends. */
function renderExcerpt(finding: Finding, terminal: Terminal): readonly string[] {
  // Of a flow, where it ends: the steps above tell how it came there.
  const proof = finding.locations.length > 1 ? finding.evidence.at(-1) : finding.evidence[0];
  if (proof === undefined) return [];
  const room = widthOf(terminal) - 13;
  const lines = forTerminal(asUntrusted(proof.excerpt, excerptBytes), { keepLines: true })
    .split('\n')
    .map((line) => line.replaceAll('\t', '  ').trimEnd());
  const cut = (line: string): string => (line.length > room ? `${line.slice(0, room - 1)}…` : line);
  const shown = lines.slice(0, excerptLines).map((line) => `          ${terminal.style.faint('|')} ${cut(line)}`);
  return lines.length > excerptLines
    ? [...shown, `          ${terminal.style.faint(`| ${count(lines.length - excerptLines, 'line')} more`)}`]
    : shown;
}

function renderWay({ locations }: Finding, terminal: Terminal): readonly string[] {
  if (locations.length < 2) return locations.map((place) => `          ${terminal.style.code(safe(placeText(place)))}`);
  return locations.map((place, at) => {
    const step = place.step === undefined ? '' : `  ${safe(place.step)}`;
    return `          ${String(at + 1).padStart(2)} ${terminal.style.code(safe(placeText(place)))}${step}`;
  });
}

function renderFinding(finding: Finding, terminal: Terminal): string {
  const { severity, title, rule, evidenceClass, cwe, owasp, remediation } = finding;
  const { style } = terminal;
  const room = widthOf(terminal) - 10;
  const [head = '', ...rest] = wrap(safe(title), room);
  const tags = [rule, `evidence ${evidenceClass}`, ...cwe, ...owasp].join('  ');
  return [
    `${paintSeverity(severity, terminal)}  ${style.strong(head)}`,
    ...rest.map((line) => `          ${style.strong(line)}`),
    `          ${style.faint(tags)}`,
    ...renderWay(finding, terminal),
    ...renderExcerpt(finding, terminal),
    ...wrap(safe(remediation), room).map((line) => `          ${style.good(line)}`),
  ].join('\n');
}

/** Many of one kind are shown as one, and the others by their titles. */
function renderAlike(findings: readonly Finding[], terminal: Terminal): string {
  const [first, ...others] = findings;
  if (first === undefined) return '';
  if (others.length < fewestAlike) return findings.map((finding) => renderFinding(finding, terminal)).join('\n\n');
  const room = widthOf(terminal) - 12;
  const lines = others.slice(0, shownAlike).map(({ title }) => {
    const text = safe(title);
    return `          ${terminal.style.faint('+')} ${text.length > room ? `${text.slice(0, room - 1)}…` : text}`;
  });
  const more =
    others.length > shownAlike ? [`          ${terminal.style.faint(`+ ${others.length - shownAlike} more`)}`] : [];
  return [renderFinding(first, terminal), ...lines, ...more].join('\n');
}

function groupAlike(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  return [...Map.groupBy(findings, ({ rule, severity, remediation }) => `${rule} ${severity} ${remediation}`).values()];
}

function renderCheck({ title, is, because, facts }: Check, { style }: Terminal): string {
  const details = [
    ...(because === undefined ? [] : [safe(because)]),
    ...Object.entries(facts).map(([name, value]) => `${name} ${safe(String(value))}`),
  ].join(', ');
  const word =
    is === 'done' ? style.good('done   ') : is === 'unknown' ? style.warn('unknown') : style.faint('n.a.   ');
  return `  ${word}  ${safe(title)}${details === '' ? '' : style.faint(`  ${details}`)}`;
}

function renderSubject(subject: Subject, terminal: Terminal, { isDetailed }: RenderOptions): string {
  const { findings, suppressed, checks } = subject;
  const sorted = worstFirst(findings);
  const groups = isDetailed ? sorted.map((finding) => [finding]) : groupAlike(sorted);
  const shown = isDetailed ? groups : groups.slice(0, shownPerSubject);
  const hidden = sorted.length - shown.flat().length;
  const { style } = terminal;
  return [
    style.strong(safe(describeTarget(subject))),
    '',
    ...shown.flatMap((group) => [renderAlike(group, terminal), '']),
    ...(hidden > 0 ? [style.warn(`${count(hidden, 'finding')} more: --details, or -o report.html`), ''] : []),
    ...checks.filter(({ is }) => isDetailed || is !== 'not-applicable').map((check) => renderCheck(check, terminal)),
    ...(suppressed.length > 0
      ? [style.faint(`  ${count(suppressed.length, 'finding')} suppressed, with a reason`)]
      : []),
    '',
  ].join('\n');
}

function renderSummary(report: Report, { style }: Terminal): string {
  const all = report.subjects.flatMap(({ findings }) => findings);
  const found = all.length === 0 ? style.good('no findings') : style.strong(countBySeverity(all));
  const whole = report.isComplete
    ? style.good('everything was looked at')
    : style.warn('not everything could be looked at: silence proves nothing there');
  const targets = report.subjects.length === 1 ? '' : ` in ${count(report.subjects.length, 'target')}`;
  return `${found}${targets}; ${whole} ${style.faint(`(${formatMs(report.durationMs)})`)}\n`;
}

export function renderReport(report: Report, terminal: Terminal, options: RenderOptions): string {
  return (
    report.subjects.map((subject) => `${renderSubject(subject, terminal, options)}\n`).join('') +
    renderSummary(report, terminal)
  );
}
