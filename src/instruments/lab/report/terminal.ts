import type { RenderOptions } from './index.ts';
import type { LabReport } from './schema.ts';
import { factLines, textLines } from './terminal/facts.ts';
import { findingLines } from './terminal/findings.ts';
import { detonationLines, indicatorLines, innerLines, missingLines, pictureLines } from './terminal/lists.ts';
import { cutTo, type Paper, paperOf, safe, wrap } from './terminal/text.ts';
import { bestIndicators, seconds } from './words.ts';

/** A report for somebody at a terminal: the short answer first, then what it rests on. */

function headLines(report: LabReport, { style, width }: Paper): readonly string[] {
  const { file, evidence } = report;
  const took = report.is_from_cache ? 'kept result' : seconds(report.elapsed_ms);
  const best = bestIndicators(report);
  const worth = best.map(({ value }) => cutTo(safe(value, 400), width - 4));
  return [
    `${style.strong(cutTo(safe(file.name, 400), width - 30))}  ${style.faint(`depth ${report.depth}, ${took}`)}`,
    '',
    ...report.summary.flatMap((sentence) => wrap(safe(sentence, 2000), width, '  ')),
    ...(worth.length === 0 ? [] : ['  First to look at:', ...worth.map((value) => `    ${value}`)]),
    '',
    style.faint(`  sha256 ${safe(file.sha256, 80)}`),
    style.faint(`  sha1   ${safe(file.sha1, 80)}`),
    style.faint(`  md5    ${safe(file.md5, 80)}`),
    ...file.origins
      .slice(0, 3)
      .flatMap(({ how, parent }) =>
        wrap(
          `${safe(how, 200)}${parent === null ? '' : `, out of ${parent.slice(0, 16)}…`}`,
          width,
          '         ',
          '  came   ',
        ),
      )
      .map(style.faint),
    ...wrap(`tools ran in ${safe(report.confinement, 200)}`, width, '  ').map(style.faint),
    evidence.is_unchanged
      ? style.faint('  the file is unchanged, by its hash before and after')
      : style.bad('  the hash of the file has changed while it was looked at'),
    '',
  ];
}

function todoLines({ action_required: todo }: LabReport, { style, width }: Paper): readonly string[] {
  if (todo.length === 0) return [];
  return [
    style.strong('To do before this is believed'),
    ...todo.flatMap(({ issue, remediation }) =>
      wrap(`${safe(issue)} ${safe(remediation)}`, width, '    ', `  ${style.warn('!')} `),
    ),
    '',
  ];
}

export function renderTerminal(report: LabReport, options: RenderOptions): string {
  const paper = paperOf(options);
  const lines = [
    ...headLines(report, paper),
    ...todoLines(report, paper),
    ...findingLines(report, paper),
    ...detonationLines(report, paper),
    ...indicatorLines(report, paper),
    ...innerLines(report, paper),
    ...textLines(report, paper),
    ...factLines(report, paper),
    ...pictureLines(report, paper),
    ...missingLines(report, paper),
    paper.style.strong('Next'),
    ...report.next_steps.flatMap((step) => wrap(safe(step, 400), paper.width, '    ', '  - ')),
  ];
  return `${lines.join('\n')}\n`;
}
