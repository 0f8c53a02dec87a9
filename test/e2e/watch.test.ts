import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hotcell } from './hotcell.ts';

const folder = mkdtempSync(join(tmpdir(), 'hotcell-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const landlock = ['box', '--watch', '--backend', 'landlock'];
const home = { HOTCELL_HOME: join(folder, 'home') };

describe('hotcell box --watch', () => {
  it('shows and keeps what a command does, and says where', () => {
    const { code, stderr, stdout } = hotcell(
      [...landlock, '--', '/bin/sh', '-c', 'echo hi; cat ~/.netrc > /dev/null'],
      {
        environment: home,
      },
    );
    expect(code).toBe(0);
    expect(stdout).toBe('hi\n');
    expect(stderr).toMatch(/DECOY +\S+\/\.netrc/);
    expect(stderr).toMatch(/^complete: /m);
    const [run = ''] = readdirSync(join(folder, 'home', 'runs'));
    expect(stderr).toContain(`kept in ${join(folder, 'home', 'runs', run)}`);
    expect(existsSync(join(folder, 'home', 'runs', run, 'completeness.json'))).toBe(true);
    const again = hotcell(['events', join(folder, 'home', 'runs', run), '--kind', 'bait-read', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ kind: 'bait-read', fields: { decoy: '.netrc' } });
  });

  it('passes the exit code of the command on, and tells a program everything', () => {
    const { code, stderr } = hotcell([...landlock, '-o', 'seven', '--json', '--', '/bin/sh', '-c', 'exit 7'], {
      cwd: folder,
    });
    expect(code).toBe(7);
    expect(JSON.parse(stderr)).toMatchObject({
      watchedBy: 'notify',
      isOnNetwork: false,
      folder: join(folder, 'seven'),
      completeness: { isComplete: true },
    });
  });

  it('has no decoys when none are wanted', () => {
    const { stdout, stderr } = hotcell([...landlock, '-o', 'empty', '--no-decoys', '--', '/bin/ls', '-A', '/tmp'], {
      cwd: folder,
    });
    expect(stderr).not.toContain('DECOY');
    expect(stdout).not.toContain('.ssh');
    expect(readFileSync(join(folder, 'empty', 'events.ndjson'), 'utf8')).not.toContain('AWS_ACCESS_KEY_ID');
  });

  const full = join(folder, 'full');
  mkdirSync(full);
  writeFileSync(join(full, 'mine'), '');
  it.each([
    { what: 'a folder that is not empty', args: [...landlock, '-o', full], says: 'the folder is not empty' },
    { what: 'a folder that cannot be made', args: [...landlock, '-o', join(full, 'mine', 'x')], says: '--output' },
    { what: 'a network that there is not', args: [...landlock, '--network', 'real'], says: 'none, fake, allowlist' },
    { what: '--output without --watch', args: ['box', '-o', 'x'], says: '--output goes with --watch' },
    { what: '--no-decoys without --watch', args: ['box', '--no-decoys'], says: '--no-decoys goes with --watch' },
  ])('refuses $what', ({ args, says }) => {
    const { code, stderr } = hotcell([...args, '--', '/bin/true']);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(readdirSync(full)).toEqual(['mine']);
  });
});
