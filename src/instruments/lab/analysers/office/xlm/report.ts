import type { Collector } from '../collector.ts';
import { foldStrings } from '../vba/fold-strings.ts';
import { tellingFunctions } from './functions.ts';

/** What the sheets and the macros of Excel 4 come to, from old and new workbooks alike. */

export interface XlmCell {
  readonly sheet: string;
  readonly cell: string;
  readonly text: string;
  /** What the formula gave when the workbook was saved. */
  readonly value?: string;
}

export interface WorkbookName {
  readonly name: string;
  readonly isHidden: boolean;
  readonly refersTo: string;
}

interface SheetFacts {
  readonly name: string;
  readonly type: string;
  readonly state: string;
}

const hiddenKind = {
  rule: 'office.sheet.hidden',
  title: 'The workbook has hidden sheets',
  severity: 'info',
  evidenceType: 'structural',
  benign: 'Lists and calculations behind a form are usually hidden.',
  attack: ['T1564'],
} as const;

const veryHiddenMacroKind = {
  rule: 'office.xlm.hidden-sheet',
  title: 'A sheet with macros of Excel 4 is hidden',
  severity: 'high',
  evidenceType: 'structural',
  benign: 'Add-ins from the nineties hid their macro sheets too.',
  attack: ['T1564', 'T1059.005'],
} as const;

const xlmKind = {
  rule: 'office.macro.xlm',
  title: 'The workbook contains macros of Excel 4 (XLM)',
  severity: 'medium',
  evidenceType: 'structural',
  benign: 'Very old workbooks were automated this way; new ones hardly ever are.',
  attack: ['T1059.005', 'T1204.002'],
} as const;

const autoKind = {
  rule: 'office.xlm.auto-open',
  title: 'A macro of Excel 4 runs when the workbook is opened or closed',
  severity: 'high',
  evidenceType: 'behaviour',
  benign: 'Old workbooks set up their menus with it.',
  attack: ['T1204.002', 'T1059.005'],
} as const;

const tellingKind = {
  rule: 'office.xlm.functions',
  title:
    'A macro of Excel 4 uses functions that start programs, call libraries, write cells or files, or look at the machine',
  severity: 'high',
  evidenceType: 'behaviour',
  benign: 'Old add-ins call libraries of their own and read settings of the window.',
  attack: ['T1059.005', 'T1106'],
} as const;

const maximalText = 512 * 1024;
const autoName = /^(?:_xlnm\.)?auto_?(?:open|close|activate|deactivate)/i;

export function reportSheets(collector: Collector, sheets: readonly SheetFacts[]): void {
  collector.list(
    'sheets',
    sheets.map(({ name, type, state }) => ({ name, type, state })),
    60,
  );
  const hidden = sheets.filter(({ state, type }) => state !== 'visible' && type === 'worksheet');
  if (hidden.length > 0)
    collector.finding(
      hiddenKind,
      ...hidden.map(({ name, state }) => ({ where: 'workbook', text: `${name} (${state})` })),
    );
}

export function reportMacroSheets(
  collector: Collector,
  sheets: readonly SheetFacts[],
  names: readonly WorkbookName[],
  cells: readonly XlmCell[],
  tick: () => void,
): boolean {
  const macroSheets = sheets.filter(({ type }) => type === 'macro sheet');
  collector.list(
    'defined_names',
    names.map(({ name, isHidden, refersTo }) => ({ name, is_hidden: isHidden, refers_to: refersTo })),
    40,
  );
  if (macroSheets.length === 0) return false;
  collector.finding(
    xlmKind,
    ...macroSheets.map(({ name, state }) => ({ where: 'workbook', text: `${name} (${state})` })),
  );
  const hidden = macroSheets.filter(({ state }) => state !== 'visible');
  if (hidden.length > 0)
    collector.finding(
      veryHiddenMacroKind,
      ...hidden.map(({ name, state }) => ({ where: 'workbook', text: `${name} (${state})` })),
    );
  for (const { name, refersTo } of names.filter((one) => autoName.test(one.name))) {
    collector.finding(autoKind, { where: `name ${name}`, text: refersTo });
  }
  const lines = cells.map(
    ({ sheet, cell, text, value }) => `${sheet}!${cell} ${text}${value === undefined ? '' : ` -> ${value}`}`,
  );
  collector.list('xlm_cells', lines, 60);
  const all = lines.join('\n').slice(0, maximalText);
  collector.text('macros of Excel 4', all);
  const matcher = new RegExp(
    `(?<![\\w.])(${tellingFunctions.map((name) => name.replaceAll('.', '\\.')).join('|')})\\(`,
    'i',
  );
  for (const line of lines.slice(0, 5000)) {
    tick();
    const match = matcher.exec(line.slice(0, 8192));
    if (match !== null) collector.finding(tellingKind, { where: `macro sheet, ${match[1]}`, text: line });
  }
  const folded = foldStrings(
    cells
      .map(({ text }) => text)
      .join('\n')
      .slice(0, maximalText),
    tick,
  ).map(({ value }) => value);
  collector.list('xlm_decoded_strings', folded, 40);
  collector.text('decoded strings of the macros of Excel 4', folded.join('\n'));
  return true;
}
