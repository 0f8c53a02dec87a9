import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Subject } from '../../../base/report-schema.ts';
import type { Listing } from '../../../targets/conversation/contract.ts';
import { sampleListing, sampleTool } from '../../../targets/listings/sample-listing.ts';
import { checkPin, comparePin, makePin, pinPath, pinSubject, pinToKeep, readPin, writePin } from './index.ts';

const target = (version: string | null, kind = 'npm'): Subject['target'] => ({
  kind,
  spec: `notes@${version}`,
  ...(version === null ? {} : { resolved: { name: 'notes', version } }),
});
const described = (description: string): Listing => sampleListing([{ ...sampleTool, description }]);
const at = new Date('2026-05-03T10:00:00Z');
const pin = makePin(target('1.0.0'), sampleListing(), at);

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hotcell-pins-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a pin', () => {
  it('comes back as it was written, in a file that only its owner reads', async () => {
    const inside = join(folder, 'a', 'b');
    expect(await writePin(inside, pin)).toBe(true);
    expect(await readPin(inside, pin.subject)).toEqual(pin);
    const path = pinPath(inside, pin.subject);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(inside)).mode & 0o777).toBe(0o700);
    expect(await readdir(inside)).toEqual([path.split('/').at(-1)]);
  });

  it('has the same bytes for the same listing in another order', async () => {
    const other = { ...sampleTool, name: 'other', inputSchema: { b: 1, a: 2 } };
    const turned = { ...sampleTool, name: 'other', inputSchema: { a: 2, b: 1 } };
    await writePin(folder, makePin(target('1.0.0'), sampleListing([sampleTool, other]), at));
    const first = await readFile(pinPath(folder, pin.subject), 'utf8');
    await writePin(folder, makePin(target('1.0.0'), sampleListing([turned, sampleTool]), at));
    expect(await readFile(pinPath(folder, pin.subject), 'utf8')).toBe(first);
  });

  it('has a name that no target can steer', () => {
    expect(pinPath('/pins', 'npm:../../etc/passwd')).toMatch(/^\/pins\/[0-9a-f]{40}\.json$/);
    expect(pinSubject(target('1.0.0'))).toBe(pinSubject(target('2.0.0')));
    expect(pinSubject(target(null))).toBe('npm:notes@null');
  });

  it.each([
    { what: 'nothing', content: null },
    { what: 'an empty file', content: '' },
    { what: 'half a file', content: JSON.stringify(pin).slice(0, 100) },
    { what: 'another document', content: '{"format":"hotcell-report"}' },
    { what: 'a pin of something else', content: JSON.stringify({ ...pin, subject: 'npm:other' }) },
    { what: 'a pin that was changed', content: JSON.stringify({ ...pin, listing: { ...pin.listing, tools: [] } }) },
    { what: 'a pin of a later format', content: JSON.stringify({ ...pin, version: 2 }) },
  ])('that is $what is none, and is written over', async ({ content }) => {
    if (content !== null) await writeFile(pinPath(folder, pin.subject), content);
    expect(await readPin(folder, pin.subject)).toBeNull();
    await writePin(folder, pin);
    expect(await readPin(folder, pin.subject)).toEqual(pin);
  });

  it('is none where a file is any bytes, or a pin with a byte changed', async () => {
    const whole = Buffer.from(JSON.stringify(pin));
    const changed = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([place, by]) => {
      const bytes = Buffer.from(whole);
      bytes[place] = (bytes[place] ?? 0) ^ by;
      return bytes;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), changed), async (bytes) => {
        await writeFile(pinPath(folder, pin.subject), bytes);
        const back = await readPin(folder, pin.subject);
        // What remains readable may have another date or version, and never another listing.
        if (back !== null) expect(back.listing).toEqual(pin.listing);
      }),
      { numRuns: 100 },
    );
  });

  it('is not read through a link or out of a folder', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await writePin(elsewhere, pin);
    await symlink(pinPath(elsewhere, pin.subject), pinPath(folder, pin.subject));
    expect(await readPin(folder, pin.subject)).toBeNull();
    await rm(pinPath(folder, pin.subject));
    await mkdir(pinPath(folder, pin.subject));
    expect(await readPin(folder, pin.subject)).toBeNull();
  });

  it('is made of any listing and always comes back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({ name: fc.string({ unit: 'binary' }), inputSchema: fc.jsonValue() as fc.Arbitrary<unknown> }),
        ),
        fc.string(),
        async (tools, instructions) => {
          const made = makePin(target('1.0.0'), sampleListing(tools, { instructions }), at);
          await writePin(folder, made);
          const back = await readPin(folder, made.subject);
          expect(back?.fingerprint).toBe(made.fingerprint);
          if (back !== null) expect(comparePin(back, made).comparison.isSame).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('keeps little of a huge listing, and still sees where it changes', async () => {
    const huge = (end: string): Listing =>
      sampleListing(
        Array.from({ length: 3000 }, (_, number) => ({
          ...sampleTool,
          name: `tool ${number}`,
          description: number === 0 ? `${'x'.repeat(1_000_000)}${end}` : 'Reads.',
        })),
      );
    const [first, second] = [makePin(target('1.0.0'), huge('a'), at), makePin(target('1.0.0'), huge('b'), at)];
    expect(await writePin(folder, first)).toBe(true);
    expect((await stat(pinPath(folder, first.subject))).size).toBeLessThan(2_000_000);
    const back = await readPin(folder, first.subject);
    expect(back).toEqual(first);
    expect(first.fingerprint).not.toBe(second.fingerprint);
    expect(comparePin(first, second).comparison.isSame).toBe(false);
  });
});

describe('checkPin', () => {
  const now = (version: string | null, listing: Listing, kind = 'npm') => makePin(target(version, kind), listing, at);

  it.each([
    { what: 'the same again', before: '1.0.0', after: '1.0.0', text: 'Reads.', is: [] },
    {
      what: 'the same release, changed',
      before: '1.0.0',
      after: '1.0.0',
      text: 'Mails.',
      is: ['differs-from-pin high'],
    },
    { what: 'a new release, changed', before: '1.0.0', after: '1.1.0', text: 'Mails.', is: ['updated low'] },
    { what: 'a new release, unchanged', before: '1.0.0', after: '1.1.0', text: 'Reads.', is: [] },
  ])('says of $what: $is', async ({ before, after, text, is }) => {
    expect(await checkPin(folder, now(before, described('Reads.')))).toBeNull();
    const checked = await checkPin(folder, now(after, described(text)));
    const told = checked?.findings.map(({ rule, severity }) => `${rule.replace('behaviour/listing-', '')} ${severity}`);
    expect(told).toEqual(is);
    expect(checked?.comparison.isSame).toBe(is.length === 0);
  });

  it('does not take work on a folder for a release that was replaced', async () => {
    await checkPin(folder, now('1.0.0', described('Reads.'), 'folder'));
    const checked = await checkPin(folder, now('1.0.0', described('Mails.'), 'folder'));
    expect(checked?.findings.map(({ severity }) => severity)).toEqual(['low']);
  });

  it('goes on telling about a release that was replaced, and forgets about one that is over', async () => {
    await checkPin(folder, now('1.0.0', described('Reads.')));
    for (let turn = 0; turn < 2; turn += 1) {
      const checked = await checkPin(folder, now('1.0.0', described('Mails.')));
      expect(checked?.findings.length).toBe(1);
    }
    await checkPin(folder, now('1.1.0', described('Mails.')));
    expect((await checkPin(folder, now('1.1.0', described('Mails.'))))?.findings).toEqual([]);
  });

  it('keeps the newer of two that are alike', () => {
    const later = makePin(target('1.0.0'), sampleListing(), new Date('2026-06-01T00:00:00Z'));
    expect(pinToKeep(pin, later)).toBe(later);
    expect(pinToKeep(null, pin)).toBe(pin);
  });

  it('fails with words where nothing can be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(checkPin(join(folder, 'file'), pin)).rejects.toThrow(/cannot remember what the server offers/);
  });
});
