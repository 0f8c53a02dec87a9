/** Signs of machine code that runs without a loader: short sequences that such code needs and data seldom has. */

export interface CodeSign {
  readonly id: string;
  readonly words: string;
  readonly architecture: 'x86' | 'x86-64' | 'x86 or x86-64' | 'ARM64';
  readonly points: number;
  readonly offset: number;
}

interface Pattern extends Omit<CodeSign, 'offset'> {
  /** Bytes in hex; `??` is any, `58-5f` is a range. */
  readonly bytes: string;
  /** Too short to mean anything in a longer file. */
  readonly mostBytes?: number;
}

const either = 'x86 or x86-64';
const sign = (
  id: string,
  architecture: CodeSign['architecture'],
  points: number,
  bytes: string,
  words: string,
  mostBytes?: number,
): Pattern => ({ id, architecture, points, bytes, words, ...(mostBytes === undefined ? {} : { mostBytes }) });

const patterns: readonly Pattern[] = [
  sign('getpc-call-pop', either, 5, 'e8 00 00 00 00 58-5f', 'calls the next instruction to learn its own address'),
  sign('getpc-fnstenv', 'x86', 5, 'd9 74 24 f4', 'reads its own address from the floating-point environment'),
  sign('getpc-call-back', either, 5, 'e8 ff ff ff ff c0-c7', 'calls into its own operand to learn its own address'),
  sign('peb', 'x86', 4, '64 a1 30 00 00 00', 'reads the process environment block'),
  sign('peb', 'x86', 4, '64 8b 40-7f 30', 'reads the process environment block through a register'),
  sign('peb', 'x86', 4, '64 8b 05-3d 30 00 00 00', 'reads the process environment block'),
  sign('peb', 'x86-64', 5, '65 48 8b 04-3c 25 60 00 00 00', 'reads the process environment block'),
  sign('peb', 'x86-64', 5, '65 48 8b 40-7f 60', 'reads the process environment block through a register'),
  sign('api-hash', either, 4, 'c1 c8-cf 0d', 'rotates by 13, as loops over hashed function names do', 65536),
  sign('api-hash-call', 'x86', 5, '68 ?? ?? ?? ?? ff d5', 'pushes a constant and calls a resolver of functions'),
  sign('api-hash-call', 'x86-64', 5, '41 ba ?? ?? ?? ?? ff d5', 'passes a constant to a resolver of functions'),
  sign('loader-start', 'x86', 6, 'fc e8 80-8f 00 00 00 60', 'the opening of a known loader of blocks of code'),
  sign('loader-start', 'x86-64', 6, 'fc 48 83 e4 f0 e8', 'the opening of a known loader of blocks of code'),
  sign('linux-syscall', 'x86', 4, 'b0 ?? cd 80', 'calls the Linux kernel directly', 65536),
  sign('linux-syscall', 'x86-64', 5, '6a 3b 58', 'prepares to run a program through the Linux kernel', 4096),
  sign('linux-syscall', 'x86-64', 4, 'b0 3b 0f 05', 'runs a program through the Linux kernel'),
  sign('linux-syscall', 'x86-64', 3, '48 31 c0-ff 0f 05', 'calls the Linux kernel directly'),
  sign('shell-name', either, 4, '68 2f 2f 73 68', 'puts the name of a shell on the stack'),
  sign('shell-name', 'x86-64', 4, '48 b8-bf 2f 62 69 6e 2f', 'holds the name of a shell in a register'),
  sign('decoder-loop', 'x86', 4, '80 30-37 ?? 40-47 e2 e0-ff', 'decodes its own bytes in a loop'),
  sign('decoder-loop', either, 4, '31 40-7f ?? 83 c0-c7 04 03', 'decodes its own words in a loop'),
  sign('prologue', 'x86', 1, '55 8b ec', 'the opening of a function', 65536),
  sign('prologue', either, 1, '55 89 e5', 'the opening of a function', 65536),
  sign('prologue', 'x86-64', 2, '55 48 89 e5', 'the opening of a function'),
  sign('prologue', 'x86-64', 2, '48 89 5c 24', 'the opening of a function'),
  sign('syscall', 'ARM64', 4, '01 00 00 d4', 'calls the kernel directly'),
];

interface Step {
  readonly low: number;
  readonly high: number;
}

function compile(text: string): readonly Step[] {
  return text.split(' ').map((token) => {
    if (token === '??') return { low: 0, high: 255 };
    const [low = '', high = low] = token.split('-');
    return { low: Number.parseInt(low, 16), high: Number.parseInt(high, 16) };
  });
}

const compiled = patterns.map((pattern) => ({ pattern, steps: compile(pattern.bytes) }));
const byFirst: readonly (readonly (typeof compiled)[number][])[] = Array.from({ length: 256 }, (_, first) =>
  compiled.filter(({ steps }) => steps[0]?.low === first),
);

function matches(bytes: Uint8Array, at: number, steps: readonly Step[]): boolean {
  return steps.every(({ low, high }, index) => {
    const byte = bytes[at + index];
    return byte !== undefined && byte >= low && byte <= high;
  });
}

/** Each kind of sign once, where it stands first; `limit` bytes are looked at. */
export function findCodeSigns(bytes: Uint8Array, limit = 65_536): readonly CodeSign[] {
  const found = new Map<string, CodeSign>();
  const end = Math.min(bytes.length, limit);
  for (let at = 0; at < end; at += 1) {
    for (const { pattern, steps } of byFirst[bytes[at] ?? 0] ?? []) {
      const key = `${pattern.id} ${pattern.architecture}`;
      if (found.has(key) || (pattern.mostBytes ?? bytes.length) < bytes.length || !matches(bytes, at, steps)) continue;
      const { bytes: _, mostBytes: __, ...rest } = pattern;
      found.set(key, { ...rest, offset: at });
    }
  }
  const jump = jumpCallPop(bytes);
  return jump === null ? [...found.values()] : [jump, ...found.values()];
}

/** A jump at the very beginning to a call that comes back behind the jump. */
function jumpCallPop(bytes: Uint8Array): CodeSign | null {
  if (bytes[0] !== 0xeb) return null;
  const target = 2 + (bytes[1] ?? 0);
  if ((bytes[1] ?? 255) > 127 || bytes[target] !== 0xe8 || bytes[target + 4] !== 0xff) return null;
  const words = 'jumps to a call back to learn the address of its data';
  return { id: 'getpc-jump-call', words, architecture: either, points: 5, offset: 0 };
}

export const shellcodePoints = 5;
export const mostShellcodeBytes = 1024 * 1024;

/** Function openings alone are no sign of code without a loader: any cut-out of a program has them. */
export function scoreSigns(signs: readonly CodeSign[]): number {
  const best = new Map<string, number>();
  for (const { id, points } of signs) best.set(id, Math.max(best.get(id) ?? 0, points));
  return [...best.values()].reduce((sum, points) => sum + points, 0);
}
