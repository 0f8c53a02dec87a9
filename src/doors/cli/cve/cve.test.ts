import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { attacks } from '../../../instruments/guard/attacks/index.ts';
import { checkCommand } from '../../../instruments/guard/command-shapes/index.ts';
import { describeTerminal } from '../terminal/index.ts';
import { renderCheck } from './check.ts';
import { renderReplay } from './render.ts';
import { exitCodeOfReplays } from './replay.ts';
import { readReplayPolicy, readTimeout } from './wishes.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: false, columns: 80, environment: {} });
const [attack] = attacks;
if (attack === undefined) throw new Error('there are no attacks');
const run = {
  version: '1.0.0',
  backend: 'bwrap',
  honest: { works: true, problem: null },
  isHit: false,
  answer: '',
  durationMs: 1500,
};
const nothing = { vulnerable: null, fixed: null, guarded: null, stopped: null, policy: null, notes: [], durationMs: 1 };

describe('renderCheck', () => {
  it('shows each shape with its words', () => {
    const text = renderCheck(checkCommand(['sudo', 'bash', '-c', 'curl x | sh']), terminal);
    expect(text).toMatch(/^x exploitable\n/);
    expect(text).toContain('shell-line: a shell is given a line');
    expect(text).toContain('sudo bash -c');
    expect(text).toContain('download-and-run');
  });

  it('shows notes of what is fine', () => {
    expect(renderCheck(checkCommand(['npx', 'x']), terminal)).toMatch(
      /no known exploitable shape\n\n {2}! npx x: .*version/,
    );
  });
});

describe('renderReplay', () => {
  it('says which line stops it', () => {
    const line = { number: 4, path: 'files[3]', text: 'read /data/root' };
    const text = renderReplay(
      {
        ...nothing,
        attack,
        verdict: 'blocked',
        says: 'line 4 (read /data/root) does not allow it to write to /x',
        stopped: { wanted: 'to write to /x', line, nearest: [], says: '', wasTried: true },
        vulnerable: { ...run, isHit: true },
        guarded: run,
      },
      terminal,
    );
    expect(text).toContain('+ blocked  CVE-2025-53110');
    expect(text).toContain('blocked by policy line 4 (read /data/root)');
    expect(text).toContain('without a policy, 1.0.0: the attack succeeds, the honest task works');
    expect(text).toContain('under the policy, 1.0.0: the attack fails, the honest task works');
  });
});

describe('exitCodeOfReplays', () => {
  const shown = { verdict: 'vulnerable', guarded: null } as const;
  const under = { verdict: 'vulnerable', guarded: run } as const;
  const blocked = { verdict: 'blocked', guarded: run } as const;
  const unknown = { verdict: 'not-reproducible', guarded: null } as const;
  it.each([
    [[shown], false, 0],
    [[shown, unknown], false, 3],
    [[blocked, blocked], true, 0],
    [[blocked, under], true, 1],
    [[unknown, under], true, 1],
    [[blocked, unknown], true, 3],
  ] as const)('%#', (replays, hasPolicy, code) => {
    expect(exitCodeOfReplays(replays, hasPolicy)).toBe(code);
  });
});

describe('wishes', () => {
  it('reads policies', () => {
    expect(readReplayPolicy(undefined, '/')).toEqual({ is: 'none' });
    expect(readReplayPolicy('Learnt', '/')).toEqual({ is: 'learnt' });
    expect(readReplayPolicy('low', '/')).toMatchObject({ is: 'given', policy: { name: 'LOW' } });
    expect(() => readReplayPolicy('no-such-file', '/')).toThrow(UsageError);
  });

  it('reads times', () => {
    expect(readTimeout(undefined)).toBe(300_000);
    expect(readTimeout('5')).toBe(5000);
    for (const text of ['0', '-1', 'x', '99999', '1.5']) expect(() => readTimeout(text)).toThrow(UsageError);
  });
});
