import { u16, utf16, visible } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import { ddeKind } from '../kinds-of-findings.ts';
import { biffRecords, type DefinedName, flaggedText, readName, readSheet, type Sheet } from './biff.ts';
import { cellName, type FormulaNames, formulaText } from './formula.ts';
import { reportMacroSheets, reportSheets, type XlmCell } from './report.ts';

/** A workbook of Excel 97 to 2003: its sheets, names, links, and the macros of Excel 4 in it. */

const maximalCells = 20_000;
const maximalText = 2 * 1024 * 1024;

interface Workbook {
  readonly sheets: Sheet[];
  readonly names: DefinedName[];
  readonly books: string[];
  readonly references: number[];
  readonly links: string[];
}

const readers: Readonly<Record<number, (into: Workbook, data: Uint8Array) => void>> = {
  133: (into, data) => {
    if (into.sheets.length < 1000) into.sheets.push(readSheet(data));
  },
  24: (into, data) => {
    if (into.names.length < 5000) into.names.push(readName(data));
  },
  430: (into, data) => {
    const isInternal = u16(data, 2) === 0x0401;
    if (into.books.length < 1000) into.books.push(isInternal ? '' : flaggedText(data, 4, u16(data, 2)).text);
  },
  23: (into, data) => {
    const count = Math.min(u16(data, 0), 2000);
    for (let index = 0; index < count; index += 1) into.references.push(u16(data, 2 + index * 6 + 2));
  },
  440: (into, data) => {
    const link = /(?:https?|ftp|file|mailto|ms-\w{1,20}):[^\s\0]{2,2000}/i.exec(
      utf16(data.subarray(0, 8192)).replace(/[^\x20-\x7e]+/g, '\0'),
    );
    const shifted =
      link ??
      /(?:https?|ftp|file|mailto|ms-\w{1,20}):[^\s\0]{2,2000}/i.exec(
        utf16(data.subarray(1, 8192)).replace(/[^\x20-\x7e]+/g, '\0'),
      );
    if (shifted !== null && into.links.length < 500) into.links.push(shifted[0]);
  },
};

function contextOf(workbook: Workbook): FormulaNames {
  return {
    names: workbook.names.map(({ name }) => name),
    sheets: workbook.references.map((index) => workbook.sheets[index]?.name ?? '#REF'),
  };
}

function macroCells(stream: Uint8Array, workbook: Workbook, tick: () => void): { cells: XlmCell[]; isCut: boolean } {
  const macros = new Map(
    workbook.sheets.filter(({ type }) => type === 'macro sheet').map((sheet) => [sheet.at, sheet]),
  );
  const cells: XlmCell[] = [];
  const context = contextOf(workbook);
  let current: Sheet | undefined;
  let length = 0;
  if (macros.size === 0) return { cells, isCut: false };
  for (const { id, at, data } of biffRecords(stream, tick)) {
    // A sheet whose place is a lie still says of itself that it holds macros.
    if (id === 0x809) current = macros.get(at) ?? (u16(data, 2) === 0x40 ? [...macros.values()][0] : undefined);
    if (current === undefined) continue;
    if (id === 0x06) {
      const text = formulaText(data.subarray(22, 22 + u16(data, 20)), context);
      length += text.length;
      cells.push({ sheet: current.name, cell: cellName(u16(data, 0), u16(data, 2)), text });
    } else if (id === 0x204) {
      cells.push({
        sheet: current.name,
        cell: cellName(u16(data, 0), u16(data, 2)),
        text: flaggedText(data, 8, u16(data, 6)).text,
      });
    } else if (id === 0x207) {
      const value = flaggedText(data, 2, u16(data, 0)).text;
      const last = cells.pop();
      if (last !== undefined) cells.push({ ...last, value });
    }
    if (cells.length >= maximalCells || length > maximalText) return { cells, isCut: true };
  }
  return { cells, isCut: false };
}

/** A link to a program, not to a workbook, has its two parts with a sign of their own between them. */
function reportLinks(collector: Collector, books: readonly string[]): void {
  const external = books.filter((book) => book.length > 1);
  collector.list('external_books', external.map(visible), 30);
  for (const book of external.filter((one) => one.includes('\x03'))) {
    const [service = '', topic = ''] = book.split('\x03');
    collector.finding(ddeKind, { where: 'stream Workbook', text: `${service}|${topic}` });
    collector.text('DDE link', `${service} ${topic}`);
  }
}

export function examineWorkbook(collector: Collector, stream: Uint8Array, tick: () => void): { hasMacros: boolean } {
  const version = u16(stream, 4);
  collector.fact('biff_version', version === 0x600 ? 8 : version === 0x500 ? 5 : version);
  if (version !== 0x600) {
    collector.note('the workbook is older than Excel 97: its sheets are not read');
    return { hasMacros: false };
  }
  const workbook: Workbook = { sheets: [], names: [], books: [], references: [], links: [] };
  for (const { id, data } of biffRecords(stream, tick)) {
    // Everything behind an encryption record is noise until it is decrypted.
    if (id === 0x2f) return { hasMacros: false };
    readers[id]?.(workbook, data);
  }
  reportSheets(collector, workbook.sheets);
  reportLinks(collector, workbook.books);
  collector.list('hyperlinks', [...new Set(workbook.links)]);
  const { cells, isCut } = macroCells(stream, workbook, tick);
  if (isCut) collector.note('the macro sheets are longer than is read');
  const context = contextOf(workbook);
  const names = workbook.names.map(({ name, isHidden, formula }) => ({
    name,
    isHidden,
    refersTo: formulaText(formula, context),
  }));
  return { hasMacros: reportMacroSheets(collector, workbook.sheets, names, cells, tick) };
}

/** The encryption record of a workbook, when there is one: `type` zero is XOR, one is RC4. */
export function workbookProtection(
  stream: Uint8Array,
  tick: () => void,
): { at: number; type: number; major: number; data: Uint8Array } | null {
  let count = 0;
  for (const { id, at, data } of biffRecords(stream, tick)) {
    if (id === 0x2f) return { at, type: u16(data, 0), major: u16(data, 2), data };
    if (++count > 200) return null;
  }
  return null;
}

export const workbookStream = /^(?:workbook|book)$/i;
