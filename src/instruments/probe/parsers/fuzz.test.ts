import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../base/finding-schema.ts';
import { againOf } from '../again.ts';
import type { Aim, Parsed, ScanOutput } from '../contract.ts';
import { arjunParams } from '../scanners/arjun.ts';
import { ffufDiscover } from '../scanners/ffuf.ts';
import { nmapScan } from '../scanners/nmap.ts';
import { nucleiScan } from '../scanners/nuclei.ts';
import { parserLimits } from './bounds.ts';

/** Whatever a program leaves, the findings so far come out of it, bounded, and fit to be judged. */

const runs = { numRuns: Number(process.env.HOTCELL_FUZZ_RUNS ?? 300) };
const folder = new URL('../../../../test/samples/probe/outputs/', import.meta.url);
const recordings = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .map((name) => readFileSync(new URL(name, folder)));
const scanners = [nmapScan, ffufDiscover, arjunParams, nucleiScan];
const aim: Aim = {
  label: 'http://127.0.0.1:8099/FUZZ',
  host: '127.0.0.1',
  addresses: ['127.0.0.1', '127.0.0.2'],
  ports: [{ from: 1, to: 65_535 }],
  url: 'http://127.0.0.1:8099/FUZZ',
};

/** Findings hold records, lists, texts, numbers: no text is longer than a URL, and none has a control character. */
function isBounded(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.length <= 2048 && !/\p{Cc}/u.test(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return (
    depth < 2 && Object.keys(value).length <= 200 && Object.values(value).every((item) => isBounded(item, depth + 1))
  );
}

function check({ findings, notes }: Parsed): void {
  expect(findings.length).toBeLessThanOrEqual(parserLimits.findings);
  expect(notes.length).toBeLessThanOrEqual(2 * parserLimits.notes + 1);
  expect(notes.every((note) => note.length <= 1024)).toBe(true);
  expect(findings.every((finding) => isBounded(finding))).toBe(true);
}

async function tryAll(output: ScanOutput, judged = 20): Promise<void> {
  for (const scanner of scanners) {
    const parsed = await scanner.parse(output, aim);
    check(parsed);
    if (parsed.findings.length === 0) continue;
    const findings = scanner.judge(parsed.findings.slice(0, judged), aim, againOf(scanner, {}));
    expect(findings.filter((finding) => !findingSchema.safeParse(finding).success)).toEqual([]);
  }
}

const bytes = (most: number) => fc.uint8Array({ maxLength: most }).map((array) => Buffer.from(array));
const mutated = fc
  .tuple(fc.constantFrom(...recordings), fc.array(fc.tuple(fc.nat(), fc.nat(), bytes(12)), { maxLength: 6 }))
  .map(([recording, changes]) =>
    changes.reduce((text, [at, length, put]) => {
      const from = at % (text.length + 1);
      return Buffer.concat([text.subarray(0, from), put, text.subarray(from + (length % 40))]);
    }, recording),
  );
const jsonText = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
const field = fc.constantFrom(
  ...[
    'url',
    'status',
    'input',
    'FUZZ',
    'params',
    'method',
    'info',
    'template-id',
    'severity',
    'tags',
    'name',
    'duration',
  ],
);
const shaped = fc
  .array(fc.dictionary(field, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.integer(), fc.string({ unit: 'binary' }))))
  .map((results) =>
    Buffer.from(`${JSON.stringify({ results })}\n${results.map((item) => JSON.stringify(item)).join('\n')}`),
  );
const anything = fc.oneof(bytes(400), mutated, jsonText, shaped);

describe('parsers', () => {
  it('never throw and stay in bounds', async () => {
    await fc.assert(
      fc.asyncProperty(
        anything,
        anything,
        fc.option(anything),
        fc.boolean(),
        async (stdout, stderr, outputFile, isWhole) => {
          await tryAll({ stdout, stderr, outputFile, exitCode: null, isWhole });
        },
      ),
      runs,
    );
  });

  it('meet recordings that were cut anywhere', async () => {
    for (const recording of recordings) {
      for (let at = 0; at < recording.length; at += 50) {
        const cut = recording.subarray(0, at);
        await tryAll({ stdout: cut, stderr: cut, outputFile: cut, exitCode: null, isWhole: false });
      }
    }
  });

  it.each<[string, Buffer]>([
    ['lines', Buffer.from('Discovered open port 1/tcp on 1.1.1.1\n'.repeat(12_000))],
    ['words', Buffer.from(Array.from({ length: 6000 }, (_, number) => `word${number}`).join('\n'))],
    ['brackets', Buffer.from(`{"results":${'['.repeat(500_000)}`)],
    ['tags', Buffer.from('<port>'.repeat(60_000))],
    ['results', Buffer.from(`{"results":[${'{"url":"http://a/","status":200},'.repeat(6000)}`)],
    ['matches', Buffer.from('{"template-id":"x","info":{}}\n'.repeat(6000))],
    ['one line', Buffer.alloc(1_000_000, 'Parameters found: parameter detected: ')],
    [
      'an attribute',
      Buffer.from(`<port protocol="tcp" portid="80"><state state="open"/><service name="${'x'.repeat(1_000_000)}"/>`),
    ],
  ])('take only so much: %s', async (_, flood) => {
    await tryAll({ stdout: flood, stderr: flood, outputFile: flood, exitCode: 0, isWhole: true });
    await tryAll({ stdout: flood, stderr: flood, outputFile: null, exitCode: 0, isWhole: true });
  });
});
