import type { LabReport } from '../schema.ts';
import { type ToldFacts, tellReport } from '../told/index.ts';
import { columnLines, cutTo, type Paper, safe, safeCode, wrap } from './text.ts';

const most = { pairs: 16, tables: 4, rows: 6, columns: 6, texts: 3, textLines: 6, codeLines: 14 } as const;

function block({ title, pairs, tables, texts }: ToldFacts, { style, width }: Paper): readonly string[] {
  const widest = Math.min(26, Math.max(0, ...pairs.map(([key]) => key.length)));
  const pairLines = pairs.slice(0, most.pairs).flatMap(([key, value]) => {
    const start = `  ${style.faint(cutTo(safe(key, 80), widest).padEnd(widest))}  `;
    return wrap(safe(value, 400), width, ' '.repeat(widest + 4), start).slice(0, 3);
  });
  const tableLines = tables.slice(0, most.tables).flatMap(({ title: name, columns, rows }) => [
    `  ${style.strong(cutTo(safe(name, 200), width - 2))}`,
    ...columnLines(
      [columns, ...rows.slice(0, most.rows)].map((row) => row.slice(0, most.columns).map((cell) => safe(cell, 160))),
      width,
      '    ',
      style.faint,
    ),
    ...(rows.length > most.rows ? [style.faint(`    ${rows.length - most.rows} more`)] : []),
  ]);
  const readable = texts.slice(0, most.texts).flatMap(({ title: name, text }) => {
    const lines = text.trimEnd().split(/\r?\n/);
    return [
      `  ${style.strong(cutTo(safe(name, 200), width - 2))}`,
      ...lines
        .slice(0, most.textLines)
        .flatMap((line) => wrap(safe(line, 400), width, '    ').slice(0, 4))
        .map(style.code),
      ...(lines.length > most.textLines ? [style.faint(`    ${lines.length - most.textLines} more lines`)] : []),
    ];
  });
  const left =
    Math.max(0, pairs.length - most.pairs) +
    Math.max(0, tables.length - most.tables) +
    Math.max(0, texts.length - most.texts);
  return [
    style.strong(cutTo(safe(title, 80), width)),
    ...pairLines,
    ...tableLines,
    ...readable,
    ...(left === 0 ? [] : [style.faint(`  ${left} further facts: --format html or json`)]),
    '',
  ];
}

/** The beginning of what the sample itself says: macros, scripts, decoded layers. */
export function textLines({ texts = [] }: LabReport, { style, width }: Paper): readonly string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, most.texts).flatMap(({ source, label, text }) => {
    const lines = text.trimEnd().split(/\r?\n/);
    return [
      `  ${style.strong(cutTo(`${safe(source, 40)}: ${safe(label, 120)}`, width - 2))}`,
      ...lines.slice(0, most.codeLines).map((line) => style.code(`    ${cutTo(safeCode(line), width - 4)}`)),
      ...(lines.length > most.codeLines ? [style.faint(`    ${lines.length - most.codeLines} more lines`)] : []),
    ];
  });
  const left = texts.length - most.texts;
  return [
    style.strong(`Code and text (${texts.length})`),
    ...shown,
    ...(left > 0 ? [style.faint(`  ${left} more: --format html or json`)] : []),
    '',
  ];
}

/** Only what the analysers of its kind say: the rest is in the other forms. */
export function factLines(report: LabReport, paper: Paper): readonly string[] {
  return tellReport(report).main.flatMap((told) => block(told, paper));
}
