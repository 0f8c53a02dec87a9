import { cut, latin1, u8, u16, u32, utf16 } from '../bytes.ts';

/** The records of an Excel workbook stream (BIFF8), one after the other. */

export interface BiffRecord {
  readonly id: number;
  readonly at: number;
  readonly data: Uint8Array;
}

const maximalRecords = 400_000;

export function* biffRecords(stream: Uint8Array, tick: () => void): Generator<BiffRecord> {
  let count = 0;
  for (let at = 0; at + 4 <= stream.length && count < maximalRecords; count += 1) {
    if (count % 1024 === 0) tick();
    const length = u16(stream, at + 2);
    yield { id: u16(stream, at), at, data: cut(stream, at + 4, length) };
    at += 4 + length;
  }
}

/** A string with its flags byte at `at` and `count` characters behind it. */
export function flaggedText(
  data: Uint8Array,
  at: number,
  count: number,
): { readonly text: string; readonly end: number } {
  const isWide = (u8(data, at) & 1) === 1;
  const bytes = cut(data, at + 1, isWide ? count * 2 : count);
  return { text: isWide ? utf16(bytes) : latin1(bytes), end: at + 1 + (isWide ? count * 2 : count) };
}

export const sheetTypes: Readonly<Record<number, string>> = {
  0: 'worksheet',
  1: 'macro sheet',
  2: 'chart',
  6: 'VBA module',
};
export const sheetStates: Readonly<Record<number, string>> = { 0: 'visible', 1: 'hidden', 2: 'very hidden' };

export interface Sheet {
  readonly name: string;
  readonly type: string;
  readonly state: string;
  readonly at: number;
}

export function readSheet(data: Uint8Array): Sheet {
  return {
    name: flaggedText(data, 7, u8(data, 6)).text,
    state: sheetStates[u8(data, 4) & 3] ?? 'unknown',
    type: sheetTypes[u8(data, 5)] ?? 'unknown',
    at: u32(data, 0),
  };
}

const builtInNames: Readonly<Record<number, string>> = {
  0: 'Consolidate_Area',
  1: 'Auto_Open',
  2: 'Auto_Close',
  3: 'Extract',
  4: 'Database',
  5: 'Criteria',
  6: 'Print_Area',
  7: 'Print_Titles',
  8: 'Recorder',
  9: 'Data_Form',
  10: 'Auto_Activate',
  11: 'Auto_Deactivate',
  12: 'Sheet_Title',
  13: '_FilterDatabase',
};

export interface DefinedName {
  readonly name: string;
  readonly isHidden: boolean;
  readonly formula: Uint8Array;
}

export function readName(data: Uint8Array): DefinedName {
  const flags = u16(data, 0);
  const { text, end } = flaggedText(data, 14, u8(data, 3));
  const isBuiltIn = (flags & 0x20) !== 0;
  return {
    // Letters behind the code of a built-in name do not change which one it is.
    name: isBuiltIn ? (builtInNames[text.charCodeAt(0)] ?? `built-in ${text.charCodeAt(0)}`) : text,
    isHidden: (flags & 1) === 1,
    formula: cut(data, end, u16(data, 4)),
  };
}
