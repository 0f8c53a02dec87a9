import type { Analysis } from '../../../base/analysis-schema.ts';
import { axes, type Finding } from '../../../base/finding-schema.ts';
import type { Verdict } from '../../../base/verdict-schema.ts';
import { countBySeverity } from '../../../evidence/words.ts';
import { count, displayWidth, renderRows, type Terminal } from '../terminal/index.ts';
import { paintBand, paintLabel } from './paint.ts';
import { safe, safeBytes } from './safe.ts';

/** The judgement, and beside it how much it rests on. */

const bandWords: Readonly<Record<Verdict['band'], string>> = {
  fails: 'FAILS',
  warns: 'WARNS',
  passes: 'PASSES',
  unknown: 'INCONCLUSIVE',
};

const shownMissing = 4;
const tailLines = 6;

function headline({ band, risk, isComplete }: Verdict, { style }: Terminal): string {
  const score = risk === null ? 'too little is known for a score' : `risk ${risk} of 100`;
  const whole = isComplete || band === 'unknown' ? '' : `  ${style.warn('incomplete: there may be more')}`;
  return `${paintBand(band, bandWords[band], style)}  ${score}${whole}\n`;
}

function axisRows(verdict: Verdict, findings: readonly Finding[], { style }: Terminal): readonly (readonly string[])[] {
  const cells = Math.max(...axes.map((axis) => displayWidth(safe(verdict.axes[axis].label)))) + 2;
  return axes.map((axis) => {
    const { label, because } = verdict.axes[axis];
    const deciding = findings.filter(({ id }) => because.includes(id));
    const worst = deciding.map(({ evidenceClass }) => evidenceClass).toSorted()[0] ?? null;
    if (worst === null) return [style.strong(axis), safe(label)];
    const room = ' '.repeat(cells - displayWidth(safe(label)));
    const why = style.faint(`${count(deciding.length, 'finding')} of class ${worst}`);
    return [style.strong(axis), `${paintLabel(safe(label), worst, style)}${room}${why}`];
  });
}

function sensorText({ completeness: { isComplete, sensors } }: Analysis, { style }: Terminal): string {
  if (isComplete) return sensors.length === 0 ? 'no sensors' : 'sensors saw everything';
  return style.warn('sensors did not see everything');
}

function coverageRows(analysis: Analysis, terminal: Terminal): readonly (readonly string[])[] {
  const { tools, parameters, phases } = analysis.verdict.coverage;
  const done = phases.length === 0 ? 'no phase was reached' : `phases ${phases.map(safe).join(', ')}`;
  return [
    [
      terminal.style.strong('coverage'),
      `${tools.exercised} of ${count(tools.all, 'tool')}, ${parameters.tried} of ${count(parameters.all, 'parameter')}, ${sensorText(analysis, terminal)}`,
    ],
    ['', done],
  ];
}

function findingRow(findings: readonly Finding[], { style }: Terminal): readonly string[] {
  return [style.strong('findings'), findings.length === 0 ? 'none' : countBySeverity(findings)];
}

function missingRows(analysis: Analysis, { style }: Terminal): readonly (readonly string[])[] {
  const { missing } = analysis.verdict.coverage;
  const shown = missing.slice(0, shownMissing).map((text) => ['', style.warn(`not done: ${safe(text)}`)]);
  const more = missing.length - shown.length;
  return more > 0 ? [...shown, ['', style.faint(`and ${more} more that was not done`)]] : shown;
}

/** Why it did not start, with its own last words. */
function startLines({ start }: Analysis, terminal: Terminal): string {
  if (start.isStarted) return '';
  const { style } = terminal;
  const guess = start.guess === undefined ? '' : `: ${safe(start.guess)}`;
  const words = start.stderrTail === undefined ? [] : safeLines(start.stderrTail);
  const head = `\n${style.warn(`It did not start after ${count(start.attempts, 'attempt')}${guess}`)}\n`;
  return head + words.map((line) => `  ${style.faint('|')} ${line}\n`).join('');
}

function safeLines(tail: NonNullable<Analysis['start']['stderrTail']>): readonly string[] {
  const text = 'text' in tail ? tail.text : Buffer.from(tail.base64, 'base64').toString('latin1');
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.slice(-tailLines).map((line) => safeBytes({ text: line }, 300));
}

export function renderVerdict(analysis: Analysis, findings: readonly Finding[], terminal: Terminal): string {
  const rows = [
    ...axisRows(analysis.verdict, findings, terminal),
    findingRow(findings, terminal),
    ...coverageRows(analysis, terminal),
    ...missingRows(analysis, terminal),
  ];
  const { width } = terminal;
  return headline(analysis.verdict, terminal) + renderRows(rows, { width }) + startLines(analysis, terminal);
}
