import { basename } from 'node:path';
import { type Report, type Subject, worstFirst } from '../../../base/report-schema.ts';
import { describeTarget } from '../../../evidence/words.ts';
import { count, formatMs, renderRows, type Terminal } from '../terminal/index.ts';
import { renderFindings } from './finding-lines.ts';
import { renderNeeds } from './needs-lines.ts';
import { cutToFit, safe, safeBytes } from './safe.ts';
import { renderVerdict } from './verdict-lines.ts';

/** An analysis for a person at a terminal: the verdict first, then what it rests on, then what to do next. */

export interface ResultOptions {
  readonly isDetailed: boolean;
  readonly isInterrupted: boolean;
  /** Where everything is kept, and what that place is called in commands; null where nothing is kept. */
  readonly kept: { readonly folder: string; readonly name: string } | null;
}

function renderTitle(report: Report, subject: Subject, terminal: Terminal): string {
  const { style } = terminal;
  const { analysis } = subject;
  const facts = [
    ...(analysis?.server ? [`${safeBytes(analysis.server.name, 200)} ${safeBytes(analysis.server.version, 100)}`] : []),
    ...(analysis === undefined ? [] : [safe(analysis.backend)]),
    formatMs(report.durationMs),
  ].join(', ');
  return `${style.strong(cutToFit(safe(describeTarget(subject)), terminal.width, terminal))}\n${style.faint(facts)}\n`;
}

/** What was looked at without running it, where it could not be done. */
function renderUnknown({ checks }: Subject, terminal: Terminal): string {
  const { style, width } = terminal;
  const unknown = checks.filter(({ is }) => is === 'unknown');
  if (unknown.length === 0) return '';
  const rows = unknown.map(({ title, because }) => [
    style.warn('unknown'),
    `${safe(title)}${because === undefined ? '' : `: ${safe(because)}`}`,
  ]);
  return renderRows(rows, { width });
}

/** Commands stand at the end of their lines and are never wrapped, so that they can be copied. */
function renderNext({ findings, analysis }: Subject, { style }: Terminal, { kept }: ResultOptions): string {
  if (kept === null) return '';
  const first = worstFirst(findings).find(
    ({ id }) => analysis?.proofs.some(({ finding, replay }) => finding === id && replay !== undefined) === true,
  );
  const commands: readonly (readonly [string, string])[] = [
    ['page', `hotcell report ${kept.name} --open`],
    ...(first === undefined ? [] : [['again', `hotcell replay ${kept.name} ${first.id.slice(0, 8)}`] as const]),
    ['events', `hotcell events ${kept.folder} --tree`],
  ];
  const lines = commands.map(([label, command]) => `  ${style.strong(label.padEnd(9))}  ${style.code(safe(command))}`);
  return [`Kept in ${safe(kept.folder)}`, ...lines].join('\n');
}

function renderSubject(report: Report, subject: Subject, terminal: Terminal, options: ResultOptions): string {
  const { analysis, findings, suppressed } = subject;
  const { style } = terminal;
  const sections = [
    renderTitle(report, subject, terminal),
    options.isInterrupted ? style.warn('Interrupted: this is what was known by then. It is incomplete.') : '',
    analysis === undefined ? style.warn('INCONCLUSIVE  it was not run') : renderVerdict(analysis, findings, terminal),
    renderFindings(findings, analysis ?? { proofs: [] }, terminal, options),
    suppressed.length === 0 ? '' : style.faint(`${count(suppressed.length, 'finding')} suppressed, with a reason`),
    renderUnknown(subject, terminal),
    analysis === undefined ? '' : renderNeeds(analysis, terminal),
    renderNext(subject, terminal, options),
  ];
  return `${sections
    .map((section) => section.trimEnd())
    .filter((section) => section !== '')
    .join('\n\n')}\n`;
}

export function renderResult(report: Report, terminal: Terminal, options: ResultOptions): string {
  return report.subjects.map((subject) => renderSubject(report, subject, terminal, options)).join('\n');
}

/** The name alone is enough for what lies where runs are kept. */
export function nameOfRun(folder: string, runsFolder: string): string {
  return folder === `${runsFolder}/${basename(folder)}` ? basename(folder) : folder;
}
