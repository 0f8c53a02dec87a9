import { bufferOf, cut, u8, u16 } from '../bytes.ts';
import { flaggedText } from './biff.ts';
import { fixedCount, functionName } from './functions.ts';

/** Formulas as Excel stores them (tokens, operands first) back into the text a person would have typed. */

export interface FormulaNames {
  /** Defined names by their number, from one. */
  readonly names: readonly string[];
  /** Sheets by the number that references use. */
  readonly sheets: readonly string[];
}

const maximalTokens = 4096;
const maximalLength = 32 * 1024;

const binary: Readonly<Record<number, string>> = {
  3: '+',
  4: '-',
  5: '*',
  6: '/',
  7: '^',
  8: '&',
  9: '<',
  10: '<=',
  11: '=',
  12: '>=',
  13: '>',
  14: '<>',
  15: ' ',
  16: ',',
  17: ':',
};

const errors: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Bytes of a token of which nothing but the size matters, by the token without its class. */
const silent: Readonly<Record<number, { readonly size: number; readonly text: string | null }>> = {
  1: { size: 4, text: '{shared}' },
  2: { size: 4, text: '{table}' },
  32: { size: 7, text: '{array}' },
  38: { size: 6, text: null },
  39: { size: 6, text: null },
  40: { size: 6, text: null },
  41: { size: 2, text: null },
  42: { size: 4, text: '#REF!' },
  43: { size: 8, text: '#REF!' },
  60: { size: 6, text: '#REF!' },
  61: { size: 10, text: '#REF!' },
};

function column(number: number): string {
  let name = '';
  for (let left = number & 0xff; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}

export function cellName(row: number, columnNumber: number): string {
  return `${column(columnNumber)}${row + 1}`;
}

interface Machine {
  readonly data: Uint8Array;
  readonly context: FormulaNames;
  readonly stack: string[];
  at: number;
}

function pop(machine: Machine): string {
  return machine.stack.pop() ?? '?';
}

function popMany(machine: Machine, count: number): string[] {
  return machine.stack.splice(Math.max(machine.stack.length - count, 0), count);
}

function callText(machine: Machine, number: number, count: number): string {
  const values = popMany(machine, count);
  // Number 255 is a function by name: its first operand says which.
  if (number === 255) return `${values[0] ?? '?'}(${values.slice(1).join(',')})`;
  return `${functionName(number)}(${values.join(',')})`;
}

/** By the token without its class; each moves on behind what it used. */
const operands: Readonly<Record<number, (machine: Machine) => string>> = {
  22: () => '',
  23: (machine) => {
    const { text, end } = flaggedText(machine.data, machine.at + 1, u8(machine.data, machine.at));
    machine.at = end;
    return `"${text.replaceAll('"', '""')}"`;
  },
  28: (machine) => errors[u8(machine.data, machine.at++)] ?? '#ERROR',
  29: (machine) => (u8(machine.data, machine.at++) === 0 ? 'FALSE' : 'TRUE'),
  30: (machine) => {
    machine.at += 2;
    return String(u16(machine.data, machine.at - 2));
  },
  31: (machine) => {
    const bytes = cut(machine.data, machine.at, 8);
    machine.at += 8;
    return bytes.length === 8 ? String(bufferOf(bytes).readDoubleLE(0)) : '?';
  },
  33: (machine) => {
    const number = u16(machine.data, machine.at);
    machine.at += 2;
    return callText(machine, number, fixedCount(number) ?? 1);
  },
  34: (machine) => {
    const count = u8(machine.data, machine.at) & 0x7f;
    const number = u16(machine.data, machine.at + 1);
    machine.at += 3;
    return callText(machine, number, count);
  },
  35: (machine) => {
    const index = u16(machine.data, machine.at);
    machine.at += 4;
    return machine.context.names[index - 1] ?? `NAME.${index}`;
  },
  36: (machine) => reference(machine),
  37: (machine) => area(machine),
  44: (machine) => reference(machine),
  45: (machine) => area(machine),
  57: (machine) => {
    const index = u16(machine.data, machine.at + 2);
    machine.at += 6;
    return `EXTERNAL.${index}`;
  },
  58: (machine) => `${sheet(machine)}!${reference(machine)}`,
  59: (machine) => `${sheet(machine)}!${area(machine)}`,
};

function sheet(machine: Machine): string {
  const index = u16(machine.data, machine.at);
  machine.at += 2;
  return machine.context.sheets[index] ?? `SHEET.${index}`;
}

function reference(machine: Machine): string {
  machine.at += 4;
  return cellName(u16(machine.data, machine.at - 4), u16(machine.data, machine.at - 2));
}

function area(machine: Machine): string {
  machine.at += 8;
  const [firstRow, lastRow, firstColumn, lastColumn] = [8, 6, 4, 2].map((back) => u16(machine.data, machine.at - back));
  return `${cellName(firstRow ?? 0, firstColumn ?? 0)}:${cellName(lastRow ?? 0, lastColumn ?? 0)}`;
}

function attribute(machine: Machine): void {
  const type = u8(machine.data, machine.at);
  const value = u16(machine.data, machine.at + 1);
  machine.at += 3;
  if (type & 0x04) machine.at += (value + 1) * 2;
  else if (type & 0x10) machine.stack.push(`SUM(${pop(machine)})`);
}

function step(machine: Machine): boolean {
  const token = u8(machine.data, machine.at++);
  const plain = token < 0x20 ? token : (token & 0x1f) | 0x20;
  const operator = binary[plain];
  if (operator !== undefined) {
    const right = pop(machine);
    machine.stack.push(`${pop(machine)}${operator}${right}`);
  } else if (plain === 18 || plain === 19) machine.stack.push(`${plain === 18 ? '+' : '-'}${pop(machine)}`);
  else if (plain === 20) machine.stack.push(`${pop(machine)}%`);
  else if (plain === 21) machine.stack.push(`(${pop(machine)})`);
  else if (plain === 25) attribute(machine);
  else if (silent[plain] !== undefined) {
    machine.at += silent[plain].size;
    if (silent[plain].text !== null) machine.stack.push(silent[plain].text);
  } else if (operands[plain] !== undefined) machine.stack.push(operands[plain](machine));
  else return false;
  return true;
}

/** Ends with `…` where a token is met that is not known, or the formula is longer than anybody types. */
export function formulaText(data: Uint8Array, context: FormulaNames): string {
  const machine: Machine = { data, context, stack: [], at: 0 };
  for (let count = 0; machine.at < data.length; count += 1) {
    const isKnown = count < maximalTokens && step(machine);
    if (!isKnown || (machine.stack.at(-1)?.length ?? 0) > maximalLength) return `=${machine.stack.join(' ')}…`;
  }
  return `=${machine.stack.join(' ')}`;
}
