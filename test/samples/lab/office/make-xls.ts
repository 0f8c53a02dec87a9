import { makeCompound } from './make-compound.ts';

/** A workbook of Excel 97 with macros of Excel 4, token by token. */

function record(id: number, data: Buffer | readonly number[]): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(bytes.length, 2);
  return Buffer.concat([head, bytes]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => void bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

const beginning = (type: number): Buffer =>
  record(0x809, Buffer.concat([words(0x600, type, 0x0dbb, 0x07cc), Buffer.alloc(8)]));
const ending = record(0x0a, []);

function sheetRecord(at: number, state: number, type: number, name: string): Buffer {
  const place = Buffer.alloc(4);
  place.writeUInt32LE(at, 0);
  return record(0x85, Buffer.concat([place, Buffer.from([state, type, name.length, 0]), Buffer.from(name, 'latin1')]));
}

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x17, value.length, 0]), Buffer.from(value, 'latin1')]);
const whole = (value: number): Buffer => Buffer.concat([Buffer.from([0x1e]), words(value)]);
const join = Buffer.from([0x08]);
const character = (code: number): Buffer => Buffer.concat([whole(code), Buffer.from([0x41]), words(111)]);
const call = (number: number, count: number): Buffer => Buffer.concat([Buffer.from([0x42, count]), words(number)]);

function formula(row: number, column: number, tokens: readonly Buffer[]): Buffer {
  const body = Buffer.concat(tokens);
  return record(
    0x06,
    Buffer.concat([words(row, column, 15), Buffer.alloc(8), words(0), Buffer.alloc(4), words(body.length), body]),
  );
}

/** Tokens that put the first cell of the macro sheet in front of a name. */
const firstCell = Buffer.concat([Buffer.from([0x3a]), words(0, 0, 0)]);
const autoOpen = record(
  0x18,
  Buffer.concat([
    words(0x20),
    Buffer.from([0, 1]),
    words(firstCell.length, 0, 0),
    Buffer.alloc(4),
    Buffer.from([0, 1]),
    firstCell,
  ]),
);

const macroCells: readonly Buffer[] = [
  formula(0, 0, [
    text('cmd.exe /c echo '),
    character(120),
    join,
    character(108),
    join,
    text('s.example.com'),
    join,
    call(110, 1),
  ]),
  formula(1, 0, [text('kernel32'), text('Sleep'), text('JJ'), whole(1), call(150, 4)]),
  formula(2, 0, [call(54, 0)]),
];

export function makeWorkbookStream(extra: Buffer = Buffer.alloc(0)): Buffer {
  const macro = Buffer.concat([beginning(0x40), ...macroCells, ending]);
  const sheet = Buffer.concat([beginning(0x10), ending]);
  const books = Buffer.concat([record(0x1ae, words(2, 0x0401)), record(0x17, words(1, 0, 1, 1))]);
  const globals = (macroAt: number, sheetAt: number): Buffer =>
    Buffer.concat([
      beginning(0x05),
      extra,
      sheetRecord(sheetAt, 0, 0, 'Sheet1'),
      sheetRecord(macroAt, 2, 1, 'Macro1'),
      books,
      autoOpen,
      ending,
    ]);
  const length = globals(0, 0).length;
  return Buffer.concat([globals(length, length + macro.length), macro, sheet]);
}

export function makeXls(): Buffer {
  return makeCompound({ Workbook: makeWorkbookStream() }, '2008020000000000c000000000000046');
}
