import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ledger } from '../../src/engine/ledger/index.ts';
import { hotcell } from './hotcell.ts';

/** The ledger from the command line: what an owner does, and what an auditor does who has only the public keys. */

const file = 'entries-000000000000.ndjson';

describe('hotcell audit', () => {
  let folder = '';
  let home = '';
  const audit = (...words: string[]) =>
    hotcell(['audit', ...words], { cwd: folder, environment: { HOTCELL_HOME: home } });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hotcell-audit-'));
    home = join(folder, 'home');
    await using ledger = await Ledger.open({ folder: join(home, 'ledger') });
    for (const [server, verdict] of [
      ['files', 'allowed'],
      ['files', 'refused'],
      ['\u001b[2Jnotes', 'allowed'],
    ] as const) {
      await ledger.append({
        instrument: 'guard',
        action: 'tool.call',
        verdict,
        session: 'one',
        server,
        rule: 'tools/denied',
      });
    }
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it('says that there is none yet, and what makes one', () => {
    const { code, stderr } = hotcell(['audit', 'verify'], {
      cwd: folder,
      environment: { HOTCELL_HOME: join(folder, 'nowhere') },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('there is no ledger');
    expect(stderr).toContain('hotcell run');
  });

  it('shows what was decided, and lets no name steer the terminal', () => {
    const { code, stdout } = audit('log');
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b[2J');
    expect(stdout.split('\n').filter((line) => line.includes('tool.call'))).toHaveLength(3);
    const refused = audit('log', '--verdict', 'refused', '--json').stdout.trim().split('\n');
    expect(refused.map((line) => JSON.parse(line))).toMatchObject([{ server: 'files', rule: 'tools/denied' }]);
    expect(audit('log', '--since', 'once').code).toBe(2);
    expect(audit('log', '--limit', '1', '--json').stdout).toContain('notes');
  });

  it('verifies with keys and a checkpoint that were kept elsewhere, here and in a copy', () => {
    writeFileSync(join(folder, 'keys.txt'), audit('keys', 'show').stdout);
    writeFileSync(join(folder, 'kept'), audit('checkpoint').stdout);
    expect(audit('verify', '--key', 'keys.txt', '--from', 'kept')).toMatchObject({ code: 0 });
    expect(audit('export', 'copy').code).toBe(0);
    expect(audit('verify', '--ledger', 'copy', '--key', 'keys.txt', '--from', 'kept').code).toBe(0);
    expect(audit('export', 'copy').code).toBe(2);
    expect(audit('fsck').code).toBe(0);
  });

  it('proves an entry, and that nothing before was rewritten, to somebody without the ledger', () => {
    writeFileSync(join(folder, 'proof.json'), audit('prove', '1').stdout);
    expect(audit('check', 'proof.json', '--key', 'keys.txt')).toMatchObject({ code: 0 });
    const forged = readFileSync(join(folder, 'proof.json'), 'utf8').replace('refused', 'allowed');
    writeFileSync(join(folder, 'forged.json'), forged);
    expect(audit('check', 'forged.json', '--key', 'keys.txt')).toMatchObject({ code: 1 });
    writeFileSync(join(folder, 'consistency.json'), audit('consistency', '1', '3').stdout);
    expect(JSON.parse(readFileSync(join(folder, 'consistency.json'), 'utf8'))).toMatchObject({
      oldSize: 1,
      newSize: 3,
    });
    expect(audit('prove', '4711').code).toBe(2);
    expect(audit('prove', 'x').code).toBe(2);
    expect(audit('check', 'keys.txt', '--key', 'keys.txt').code).toBe(2);
  });

  it('goes over to a new key that the old one vouches for', () => {
    const { code, stdout } = audit('keys', 'rotate', '--overlap', '1h', '--json');
    expect(code).toBe(0);
    const { from, to } = JSON.parse(stdout) as { readonly from: string; readonly to: string };
    expect(audit('keys', 'show').stdout.trim().split('\n')).toEqual([from, to]);
    expect(audit('checkpoint').code).toBe(0);
    // keys.txt has only the first.
    expect(audit('verify', '--key', 'keys.txt', '--from', 'kept')).toMatchObject({ code: 0 });
    expect(audit('verify', '--key', 'nonsense').code).toBe(2);
  });

  it('names the first entry that somebody has changed', () => {
    const path = join(folder, 'copy', file);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.replace('refused', 'allowed'));
    const { code, stdout } = audit('verify', '--ledger', 'copy', '--key', 'keys.txt');
    expect(code).toBe(1);
    expect(stdout).toMatch(/the first bad entry: entry [12]\b/);
    writeFileSync(path, whole);
    expect(audit('verify', '--ledger', 'copy', '--key', 'keys.txt').code).toBe(0);
  });

  it('is told of in the help', () => {
    expect(hotcell(['audit', '--help']).stdout).toContain('verify');
  });
});
