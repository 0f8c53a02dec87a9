import { describe, expect, it } from 'vitest';
import { findTool, readCatalogue } from './catalogue.ts';
import { judgeExit, type ToolEnd, type ToolStatus } from './exit.ts';

const catalogue = readCatalogue();
const traceback = 'Traceback (most recent call last):\n  File "x.py", line 1\n';

const table: readonly (readonly [string, string, Partial<ToolEnd>, ToolStatus])[] = [
  ['finished', 'capa', { code: 0 }, 'clean'],
  ['finished with more than is kept', 'capa', { code: 0, droppedStdoutBytes: 5 }, 'partial'],
  ['packed', 'capa', { code: 14 }, 'partial'],
  ['no macros', 'olevba', { code: 5 }, 'clean'],
  ['other format', 'olevba', { code: 9 }, 'not-applicable'],
  ['no AutoIt', 'autoit-ripper', { code: 1 }, 'not-applicable'],
  ['not encrypted', 'msoffcrypto-crack', { code: 1 }, 'not-applicable'],
  ['not there', 'peframe', { code: 127 }, 'not-installed'],
  ['plugin not there', 'r2ghidra', { code: 127 }, 'not-installed'],
  ['our time limit', 'floss', { code: null, signal: 'SIGKILL', hasTimedOut: true }, 'timed-out'],
  ['124 that is not ours', 'floss', { code: 124 }, 'failed'],
  ['137 that is not ours', 'floss', { code: 137 }, 'failed'],
  ['124 with our flag', 'floss', { code: 124, hasTimedOut: true }, 'timed-out'],
  ['a signal of others', 'floss', { code: null, signal: 'SIGSEGV' }, 'failed'],
  ['cancelled', 'floss', { code: null, wasCancelled: true }, 'cancelled'],
  ['the word timeout in the output', 'strings', { code: 0, stderr: 'timeout timed out command not found' }, 'clean'],
  ['command not found printed by a sample', 'strings', { code: 1, stderr: 'bash: x: command not found' }, 'failed'],
  [
    'a traceback about the form',
    'pecheck',
    { code: 1, stderr: `${traceback}pefile.PEFormatError: 'DOS Header magic not found.'\n` },
    'not-applicable',
  ],
  ['a traceback about something else', 'pecheck', { code: 1, stderr: `${traceback}ImportError: pefile\n` }, 'failed'],
  ['the class without a traceback', 'pecheck', { code: 1, stderr: 'pefile.PEFormatError: x' }, 'failed'],
];

describe('judgeExit', () => {
  it.each(table)('%s: %s %j is %s', (_name, id, end, status) => {
    const entry = findTool(catalogue, id);
    if (entry === undefined) throw new Error(`${id} is missing`);
    const judged = judgeExit(entry, { code: null, hasTimedOut: false, ...end });
    expect(judged.status).toBe(status);
    expect(judged.meaning).not.toBe('');
  });

  it('says findings when the parser made some, and only after a clean end', () => {
    const entry = findTool(catalogue, 'capa');
    if (entry === undefined) throw new Error('capa is missing');
    expect(judgeExit(entry, { code: 0, hasTimedOut: false }, 3).status).toBe('findings');
    expect(judgeExit(entry, { code: 14, hasTimedOut: false }, 3).status).toBe('partial');
    expect(judgeExit(entry, { code: null, hasTimedOut: true }, 3).status).toBe('timed-out');
  });

  it('names no signal that is not one', () => {
    const entry = findTool(catalogue, 'floss');
    if (entry === undefined) throw new Error('floss is missing');
    expect(judgeExit(entry, { code: null, signal: 'x\u001b[31m', hasTimedOut: false }).meaning).not.toContain('\u001b');
  });
});
