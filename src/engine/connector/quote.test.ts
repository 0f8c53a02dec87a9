import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { runToolOrFail } from '../../base/process.ts';
import { quoteArgument, quoteCommand } from './quote.ts';

describe('quoting', () => {
  it.each([
    ['plain', 'plain'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['-x', '-x'],
    ['a=b', "'a=b'"],
    ['~', "'~'"],
    ['é', "'é'"],
  ])('writes %s', (given, wanted) => {
    expect(quoteArgument(given)).toBe(wanted);
  });

  it('refuses what no argument can hold', () => {
    expect(() => quoteArgument('a\0b')).toThrow(UsageError);
  });

  it('is read by a real shell as what was given', async () => {
    const special = fc.constantFrom(...('\'"\\$`!*?[]{}()<>|&;#~%^=\n\t -/é🜲a'.match(/./gsu) ?? []));
    const word = fc.string({ unit: fc.oneof(special, fc.string({ unit: 'grapheme', maxLength: 1 })), maxLength: 12 });
    const argv = fc.array(
      word.filter((one) => !one.includes('\0')),
      { minLength: 1, maxLength: 8 },
    );
    // Many at once: a shell for each would take longer than the rest of the room.
    await fc.assert(
      fc.asyncProperty(fc.array(argv, { minLength: 20, maxLength: 40 }), async (commands) => {
        const lines = commands.map((command) => `show ${quoteCommand(command)}`);
        const script = `show() { printf '%s\\0' "$#" "$@"; }\n${lines.join('\n')}\n`;
        const { stdout } = await runToolOrFail('/bin/sh', ['-c', script]);
        const wanted = commands.flatMap((command) => [String(command.length), ...command]);
        expect(stdout.toString()).toBe(wanted.map((one) => `${one}\0`).join(''));
      }),
      { numRuns: Math.ceil(Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) / 30) },
    );
  });
});
