import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { readEntries } from '../../../engine/ledger/index.ts';
import { Store } from '../../../engine/store/index.ts';
import { openToolPins } from '../../../instruments/guard/tool-pins/index.ts';
import { runCommandLine } from '../run-command-line.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0).reverse()) close();
});

function makeHome() {
  const home = mkdtempSync(join(tmpdir(), 'approve-'));
  opened.push(() => rmSync(home, { recursive: true, force: true }));
  const store = Store.open(join(home, 'guard', 'state.sqlite'));
  opened.push(() => store.close());
  const pins = openToolPins({ store, server: 'files', subject: 'npm:files', mode: 'enforce' });
  const run = async (...words: string[]) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const code = await runCommandLine(['approve', ...words], {
      stdin,
      stdout,
      stderr,
      readerGone: new AbortController().signal,
      caller: { environment: { HOTCELL_HOME: home }, folder: '/', homeFolder: home, userId: 1000 },
    });
    stdout.end();
    stderr.end();
    return { code, out: await text(stdout), err: await text(stderr) };
  };
  const ledger = async () => (await Array.fromAsync(readEntries(join(home, 'ledger'), {}))).map(({ entry }) => entry);
  return { pins, run, ledger };
}

const read = { name: 'read', description: 'Reads.', inputSchema: {} };
const changed = { ...read, description: 'Reads. \u001b[2J<IMPORTANT>' };
const fresh = { name: 'evil\u202e', inputSchema: {} };

describe('hotcell approve', () => {
  it('shows what is held back, approves single tools and all, and writes it down first', async () => {
    const { pins, run, ledger } = makeHome();
    expect(await run()).toMatchObject({ code: 0, out: 'nothing is held back\n' });
    pins.check('tools', [read]);
    pins.check('tools', [changed, fresh]);
    const shown = await run('files');
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/files \(npm:files\): 2 changes held back/);
    expect(shown.out).toContain('- Reads.');
    expect(shown.out).toContain('+ Reads. \\x1b[2J<IMPORTANT>');
    expect(shown.out).not.toMatch(/[\u001b\u202e]/);
    expect(pins.isQuarantined('read')).toBe(true);
    expect(await run('files', '--tool', 'read')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 change of files'),
    });
    // A guard that runs notices by itself.
    expect(pins.isQuarantined('read')).toBe(false);
    expect(pins.isQuarantined(fresh.name)).toBe(true);
    const { held } = JSON.parse((await run('--json')).out);
    expect(held).toMatchObject([{ server: 'files', is: 'added' }]);
    expect((await run('files', '--id', held[0].id)).code).toBe(0);
    expect(pins.isQuarantined(fresh.name)).toBe(false);
    pins.check('instructions', 'a');
    pins.check('instructions', 'b');
    expect((await run('files', '--tool', 'instructions')).out).toContain('changed: instructions');
    expect((await run('--show')).out).toMatch(/tools, since[\s\S]* {2}evil\\u\{202e\} {2}/);
    expect((await run('files', '--forget')).code).toBe(0);
    expect(pins.check('tools', [fresh]).is).toBe('first');
    const entries = await ledger();
    expect(entries.map(({ action }) => action)).toEqual(['pin.approve', 'pin.approve', 'pin.approve', 'pin.forget']);
    expect(entries[0]).toMatchObject({
      verdict: 'allowed',
      server: 'files',
      details: { changes: [{ part: 'tools', name: 'read', is: 'changed' }] },
    });
  });

  it('answers what a policy asks about', async () => {
    const { pins, run, ledger } = makeHome();
    expect(pins.takeAsked('delete')).toBe(false);
    expect(await run('files')).toMatchObject({ code: 1, out: expect.stringContaining('delete was asked for 1 time') });
    expect((await run('files', '--tool', 'delete', '--ask')).out).toContain('may be called once');
    expect([pins.takeAsked('delete'), pins.takeAsked('delete')]).toEqual([true, false]);
    await run('files', '--tool', 'delete', '--ask', '--always');
    expect([pins.takeAsked('delete'), pins.takeAsked('delete')]).toEqual([true, true]);
    await run('files', '--tool', 'delete', '--ask', '--forget');
    expect(pins.takeAsked('delete')).toBe(false);
    expect((await ledger()).map(({ action }) => action)).toEqual(['ask.approve', 'ask.approve', 'ask.forget']);
  });

  const wrong: readonly (readonly string[])[] = [
    ['--all'],
    ['files', '--all'],
    ['files', '--tool', 'nobody'],
    ['files', '--all', '--tool', 'x'],
    ['files', '--ask'],
    ['files', '--always', '--tool', 'x'],
    ['files', '--list', '--all'],
    ['files', '--show', '--list'],
    ['nobody', '--forget'],
    ['files', '--id', '000000000000'],
  ];
  it.each(wrong)('takes no %s %s %s', async (...words) => {
    const { run } = makeHome();
    expect(await run(...words.filter((word) => word !== undefined))).toMatchObject({ code: 2, out: '' });
  });
});
