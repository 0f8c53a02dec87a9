import { describe, expect, it } from 'vitest';
import { join, noise } from '../../../../../test/samples/lab/general/build.ts';
import { kindSamples } from '../../../../../test/samples/lab/general/make-kinds.ts';
import { yaraSamples } from '../../../../../test/samples/lab/general/make-yara.ts';
import { recogniseKind } from '../../recognise/index.ts';
import { claims } from './claims.ts';
import { embedded } from './embedded.ts';
import { encodings } from './encodings.ts';
import { hidden } from './hidden.ts';
import { identity } from './identity.ts';
import { memory } from './memory.ts';
import { shellcode } from './shellcode.ts';
import { strings } from './strings.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);
const analysers = [identity, claims, strings, encodings, hidden, embedded, shellcode, memory];
/** The long run looks at whole megabytes. */
const patternBytes = runs > 300 ? 1024 * 1024 : 96 * 1024;
const mostMs = 2000;

/** Cut short, with bytes changed, with parts doubled, or glued to another sample. */
function mutate(samples: readonly Uint8Array[], seed: number): Uint8Array {
  const dice = noise(64, seed * 2654435761 + 1);
  const roll = (index: number, below: number): number =>
    (((dice[index] ?? 0) << 8) | (dice[index + 1] ?? 0)) % Math.max(1, below);
  const base = samples[roll(0, samples.length)] ?? new Uint8Array();
  const other = samples[roll(2, samples.length)] ?? new Uint8Array();
  const bytes = Uint8Array.from(base);
  for (let count = roll(4, 12); count > 0; count -= 1) bytes[roll(6 + count * 2, bytes.length)] = dice[40 + count] ?? 0;
  const forms = [
    () => bytes.subarray(0, roll(34, bytes.length)),
    () => bytes,
    () => join(bytes.subarray(0, roll(34, bytes.length)), other),
    () => join(bytes, bytes.subarray(roll(36, bytes.length))),
    () => bytes.subarray(roll(34, 40)),
  ];
  return Uint8Array.from((forms[roll(38, forms.length)] ?? (() => bytes))());
}

describe('any bytes', () => {
  it(`are looked at without a throw and in time, ${runs} of them`, { timeout: 3_600_000 }, async () => {
    const samples = [...kindSamples().map(({ bytes }) => bytes), ...yaraSamples().map(({ matching }) => matching)];
    const late: string[] = [];
    for (let seed = 1; seed <= runs; seed += 1) {
      const bytes = mutate(samples, seed);
      const begun = performance.now();
      const kind = recogniseKind(bytes, 'x.exe');
      for (const analyser of analysers) {
        const result = await analyser.analyse({
          bytes,
          name: 'x.exe',
          kind,
          depth: 'deep',
          passwords: [],
          rulesFolders: [],
          tick: () => undefined,
        });
        expect(() => structuredClone(result)).not.toThrow();
      }
      if (performance.now() - begun > mostMs * analysers.length) late.push(`seed ${seed}`);
    }
    expect(late).toEqual([]);
  });

  const patterns = [
    'A',
    'MZ',
    'PK\x03\x04',
    'a\0',
    '\0a',
    '<~',
    '%41',
    '0x41,',
    '65, ',
    '%PDF-',
    '<!--<',
    '{"a":',
    '=',
    '\x7fELF',
    'From: a\n',
    '_0x1234 ',
    'var a',
    '\xc3\xa4',
    'http://',
    'c1\n',
    'BZh',
    '$a-',
  ];
  it.each(patterns)('much of %j is looked at in time', async (pattern) => {
    const bytes = Uint8Array.from(Buffer.alloc(patternBytes, pattern, 'latin1'));
    const kind = recogniseKind(bytes, 'x');
    let ticks = 0;
    const end = performance.now() + mostMs * 4;
    for (const analyser of analysers) {
      await analyser.analyse({
        bytes,
        name: 'x',
        kind,
        depth: 'deep',
        passwords: [],
        rulesFolders: [],
        tick: () => {
          ticks += 1;
          if (performance.now() > end) throw new Error(`${analyser.id} takes too long`);
        },
      });
    }
    expect(ticks).toBeGreaterThan(analysers.length);
  });
});
