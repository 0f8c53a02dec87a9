import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { type Entry, EventFile } from './event-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync('/tmp/hotcell-history-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (seq: number, path = '/a'): string =>
  JSON.stringify({
    seq,
    at: { monotonicNs: String(seq), wall: '2026-01-01T00:00:00.000Z' },
    run: 'r',
    phase: 'use',
    source: 's',
    kind: 'open',
    fields: { path: { text: path } },
  });

async function readAll(path: string): Promise<{ entries: Entry[]; hasOpenEnd: boolean }> {
  await using file = await EventFile.open(path);
  const entries = (await Array.fromAsync(file.batches())).flat();
  return { entries, hasOpenEnd: file.hasOpenEnd };
}

function write(text: string | Uint8Array): string {
  const path = join(folder, 'events.ndjson');
  writeFileSync(path, text);
  return path;
}

describe('an event file', () => {
  it.each<{ what: string; text: string; seqs: readonly number[]; isOpen: boolean }>([
    { what: 'nothing', text: '', seqs: [], isOpen: false },
    { what: 'two events', text: `${line(0)}\n${line(1)}\n`, seqs: [0, 1], isOpen: false },
    { what: 'a last line without its end', text: `${line(0)}\n${line(1)}`, seqs: [0, 1], isOpen: false },
    { what: 'half a last line', text: `${line(0)}\n${line(1).slice(0, 30)}`, seqs: [0], isOpen: true },
    { what: 'only half a line', text: '{"seq', seqs: [], isOpen: true },
  ])('reads $what', async ({ text, seqs, isOpen }) => {
    const path = write(text);
    for (const each of [path, folder]) {
      const { entries, hasOpenEnd } = await readAll(each);
      expect(entries.map(({ event }) => event.seq)).toEqual(seqs);
      expect(hasOpenEnd).toBe(isOpen);
    }
  });

  it('puts lines together that are longer than what is read at once', async () => {
    const lines = Array.from({ length: 9 }, (_, seq) => line(seq, `/${'é'.repeat(100_000)}${seq}`));
    const { entries } = await readAll(write(`${lines.join('\n')}\n`));
    expect(entries.map((entry) => entry.line)).toEqual(lines);
  });

  it('finds lines by a part of them, and is read from its beginning after that', async () => {
    await using file = await EventFile.open(write(`${line(0, '/x')}\n"/y" no event\n${line(1, '/y')}\n`));
    const found = (await Array.fromAsync(file.mentions('/y'))).flat();
    expect(found.map(({ event }) => event.seq)).toEqual([1]);
    await expect(Array.fromAsync(file.batches())).rejects.toThrow(/line 2/);
  });

  it('sees what was added meanwhile', async () => {
    const path = write(`${line(0)}\n`);
    await using file = await EventFile.open(path);
    appendFileSync(path, `${line(1)}\n`);
    expect((await Array.fromAsync(file.batches())).flat()).toHaveLength(2);
  });

  it.each<{ what: string; text: string | Uint8Array; message: RegExp }>([
    { what: 'no JSON', text: `${line(0)}\nno\u001b[2J\n${line(1)}\n`, message: /line 2 is no event: no\\x1b\[2J$/ },
    { what: 'an empty line', text: `\n${line(1)}\n`, message: /line 1 is no event/ },
    { what: 'another schema', text: `${line(0)}\n${line(1)}\n{}\n${line(2)}`, message: /line 3 is no event: \{\}/ },
    {
      what: 'no UTF-8',
      text: Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(line(0))]),
      message: /line 1 is no event: \\xff/,
    },
    {
      what: 'a line without end',
      text: `${line(0)}\n${'x'.repeat(9_000_000)}`,
      message: /line 2 is no event: it is longer than 8388608 bytes/,
    },
  ])('names the line that is $what', async ({ text, message }) => {
    const error: unknown = await readAll(write(text)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
  });

  it('gives the events before a broken line', async () => {
    await using file = await EventFile.open(write(`${`${line(0)}\n`.repeat(3000)}x\n${line(1)}\n`));
    const seen: Entry[] = [];
    const reading = (async () => {
      for await (const batch of file.batches()) seen.push(...batch);
    })();
    await expect(reading).rejects.toThrow(/line 3001/);
    expect(seen.length).toBeGreaterThan(500);
  });

  it('refuses what is no file, and does not wait for a pipe', async () => {
    const pipe = join(folder, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    mkdirSync(join(folder, 'empty'));
    for (const path of [pipe, join(folder, 'gone\u001b[2J'), join(folder, 'empty'), '/dev/null']) {
      const error: unknown = await EventFile.open(path).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UsageError);
      expect((error as UsageError).message).not.toContain('\u001b');
    }
  });

  it('gives events or a UsageError for any bytes', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map(Buffer.from),
      fc.constant(Buffer.from(line(0))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), async (parts) => {
        const path = write(Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')])));
        await readAll(path).catch((error: unknown) => expect(error).toBeInstanceOf(UsageError));
      }),
      { numRuns: 100 },
    );
  });
});
