import { actions, codes, dataOffsets } from './bpf.ts';

/** A filter program in words, one line per instruction. */

function describeLoad(offset: number): string {
  if (offset === dataOffsets.number) return 'load number';
  if (offset === dataOffsets.architecture) return 'load architecture';
  return `load argument ${(offset - dataOffsets.argument(0)) / 8}`;
}

function describeAnswer(action: number): string {
  if (action === actions.allow) return 'allow';
  if (action === actions.killProcess) return 'kill process';
  return `fail with errno ${action - actions.fail(0)}`;
}

const comparisons = new Map<number, string>([
  [codes.jumpIfEqual, '=='],
  [codes.jumpIfGreater, '>'],
  [codes.jumpIfGreaterOrEqual, '>='],
]);

function describe(code: number, constant: number, at: number, ifTrue: number, ifFalse: number): string {
  if (code === codes.loadWord) return describeLoad(constant);
  if (code === codes.return) return describeAnswer(constant);
  if (code === codes.and) return `and 0x${constant.toString(16)}`;
  if (code === codes.jump) return `go to ${at + 1 + constant}`;
  return `if ${comparisons.get(code) ?? '?'} ${constant} go to ${at + 1 + ifTrue}, else ${at + 1 + ifFalse}`;
}

export function listProgram(program: Uint8Array): readonly string[] {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  return Array.from({ length: program.length / 8 }, (_, at) => {
    const [code, constant] = [view.getUint16(at * 8, true), view.getUint32(at * 8 + 4, true)];
    const text = describe(code, constant, at, view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3));
    return `${String(at).padStart(4)}  ${text}`;
  });
}
