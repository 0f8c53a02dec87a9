import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeProgram, strings } from '../../../../test/samples/lab/string-usage/make-program.ts';
import { UsageError } from '../../../base/errors.ts';
import { findStringUsage, type UsageStatus } from './string-usage.ts';

const hex = (value: number | undefined): string => `0x${(value ?? 0).toString(16)}`;

describe.each(['x86', 'x64', 'arm64'] as const)('a program for %s', (machine) => {
  const { bytes, places } = makeProgram(machine);
  const table: readonly (readonly [keyof typeof strings, UsageStatus])[] = [
    ['used', 'referenced'],
    ['wide', 'referenced'],
    ['listed', 'pointer-only'],
    ['unused', 'no-reference-found'],
  ];

  it.each(table)('the %s string is %s', (name, status) => {
    const report = findStringUsage(bytes, strings[name]);
    expect(report).toMatchObject({
      is_code_file: true,
      machine,
      match_count: 1,
      matches_truncated: false,
      analysis_complete: true,
    });
    const [match] = report.matches;
    expect(match).toMatchObject({
      value: strings[name],
      exact: true,
      xref_status: status,
      encoding: name === 'wide' ? 'utf-16le' : 'ascii',
    });
    expect(match?.found_at[0]?.section).toBe('.rdata');
    const expected = places[name];
    expect(match?.xref_sources.map(({ vaddr }) => vaddr)).toEqual(expected === undefined ? [] : [hex(expected)]);
    expect(match?.data_pointer_found).toBe(status === 'pointer-only');
  });

  it('finds the whole string by a part of it', () => {
    const [match] = findStringUsage(bytes, 'used str').matches;
    expect(match).toMatchObject({ value: strings.used, exact: false, xref_status: 'referenced' });
  });

  it('says that a negative means nothing when packed or managed', () => {
    for (const options of [{ packer: 'UPX' }, { isManaged: true }]) {
      const report = findStringUsage(bytes, strings.unused, options);
      expect(report.analysis_complete).toBe(false);
      expect(report.matches[0]?.xref_status).toBe('not-analysable');
    }
    expect(findStringUsage(bytes, strings.used, { packer: 'UPX' }).matches[0]?.xref_status).toBe('referenced');
  });
});

describe('limits', () => {
  it('stops at the given number of matches', () => {
    const report = findStringUsage(Buffer.from('word\0'.repeat(100)), 'word', { maxMatches: 7 });
    expect(report).toMatchObject({ match_count: 7, matches_truncated: true, is_code_file: false });
    expect(report.matches[0]?.xref_status).toBe('not-analysable');
  });

  it.each(['', 'x'.repeat(1001)])('refuses a query of %j', (query) => {
    expect(() => findStringUsage(Buffer.alloc(10), query)).toThrow(UsageError);
  });

  it('says when the text is not there', () => {
    expect(findStringUsage(makeProgram('x64').bytes, 'nowhere')).toMatchObject({
      match_count: 0,
      note: expect.stringContaining('not in the file'),
    });
  });

  it('stops when the time is up', () => {
    const bytes = Buffer.concat([makeProgram('x64').bytes, Buffer.alloc(0x40000)]);
    const second = 0x58 + 240 + 40;
    for (const field of [8, 16]) bytes.writeUInt32LE(0x40000, second + field);
    const tick = (): never => {
      throw new Error('time is up');
    };
    expect(() => findStringUsage(bytes, strings.used, { tick })).toThrow('time is up');
  });

  it('bears any change of a program', () => {
    const seeds = (['x86', 'x64', 'arm64'] as const).map((machine) => makeProgram(machine).bytes);
    const edits = fc.array(fc.tuple(fc.nat(0x5ff), fc.nat(255)), { maxLength: 30 });
    fc.assert(
      fc.property(fc.constantFrom(...seeds), edits, fc.nat(0x600), (seed, changes, length) => {
        const bytes = Buffer.from(seed);
        for (const [at, value] of changes) bytes[at] = value;
        const { matches } = findStringUsage(bytes.subarray(0, length), 'string');
        for (const { xref_sources } of matches) expect(xref_sources.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) },
    );
  });
});

/** `  6208:\t48 8d 3d 8b 10 01 00 \tlea ... # 17296 <...>` */
const leaLine = /^\s*([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*\tlea .*\(%rip\).*# ([0-9a-f]+)/;

describe('a program of the system', () => {
  it('has the references that a disassembler finds', (context) => {
    const path = '/bin/ls';
    const listing = existsSync(path)
      ? spawnSync('objdump', ['-d', '-j', '.text', '--wide', path], { maxBuffer: 64 * 1024 * 1024 })
      : undefined;
    if (listing?.status !== 0) return context.skip('objdump is not installed');
    const bytes = readFileSync(path);
    const found = listing.stdout
      .toString()
      .split('\n')
      .flatMap((line) => {
        const [, at, code, target] = leaLine.exec(line) ?? [];
        if (at === undefined || code === undefined || target === undefined) return [];
        return [
          { operand: Number.parseInt(at, 16) + code.trim().split(' ').length - 4, target: Number.parseInt(target, 16) },
        ];
      });
    if (found.length === 0) return context.skip('not a program for x86-64');
    // In this part of the file addresses and offsets are the same.
    const texts = found.flatMap(({ operand, target }) => {
      const text = /^[\x20-\x7e]{8,60}\0/.exec(bytes.toString('latin1', target, target + 61))?.[0].slice(0, -1);
      const isStart = bytes[target - 1] === 0;
      return text === undefined || !isStart ? [] : [{ operand, target, text }];
    });
    expect(texts.length).toBeGreaterThan(20);
    for (const { operand, target, text } of texts.slice(0, 25)) {
      const match = findStringUsage(bytes, text, { maxMatches: 500 }).matches.find(
        ({ found_at }) => found_at[0]?.vaddr === hex(target),
      );
      expect(match?.xref_status, text).toBe('referenced');
      const all = found.filter((one) => one.target === target).length;
      expect(match?.xref_count, text).toBeGreaterThanOrEqual(all);
      if (all < 8)
        expect(
          match?.xref_sources.map(({ vaddr }) => vaddr),
          text,
        ).toContain(hex(operand));
    }
  });
});
