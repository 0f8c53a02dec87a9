import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hotcell, repository } from './hotcell.ts';

const kinds = ['oci', 'bwrap', 'landlock', 'seccomp', 'cgroup', 'docker', 'seatbelt', 'nftables'];
const targets = [...kinds, 'docker-flags', 'sandbox-runtime', 'toolhive'];
const tiers = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

describe('hotcell policy', () => {
  let folder = '';

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hotcell-policy-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(tiers)('show %s prints a policy that can be used, with the same fingerprint', (tier) => {
    const file = join(folder, `${tier}.json`);
    writeFileSync(file, hotcell(['policy', 'show', tier]).stdout);
    const fingerprint = (name: string) =>
      (JSON.parse(hotcell(['policy', 'check', name, '--json']).stdout) as { fingerprint: string }).fingerprint;
    expect(fingerprint(file)).toBe(fingerprint(tier));
    expect(hotcell(['policy', 'diff', tier, file]).code).toBe(0);
    expect(hotcell(['policy', 'diff', file, tier]).code).toBe(0);
  });

  it.each(targets)('show LOW --for %s prints it on stdout and its gaps apart', (target) => {
    const shown = hotcell(['policy', 'show', 'LOW', '--for', target]);
    expect(shown.code).toBe(0);
    expect(shown.stdout.length).toBeGreaterThan(20);
    const document = JSON.parse(hotcell(['policy', 'show', 'LOW', '--for', target, '--json']).stdout) as {
      text: string;
      gaps: { what: string; effect: string }[];
    };
    expect(shown.stdout.trimEnd()).toBe(document.text.trimEnd());
    for (const gap of document.gaps) expect(shown.stderr).toContain(gap.what);
    expect(shown.stderr.match(/\bweaker\b/g)?.length ?? 0).toBeGreaterThanOrEqual(
      document.gaps.filter((gap) => gap.effect === 'open').length,
    );
  });

  it.each(['oci', 'docker', 'sandbox-runtime', 'toolhive'])('--for %s is JSON', (target) => {
    expect(() => JSON.parse(hotcell(['policy', 'show', 'LOW', '--for', target]).stdout)).not.toThrow();
  });

  it('diff as JSON says what is more and what is less', () => {
    const ran = hotcell(['policy', 'diff', 'MEDIUM', 'LOW', '--json']);
    const { more, less } = JSON.parse(ran.stdout) as { more: unknown[]; less: unknown[] };
    expect([ran.code, more.length, less.length > 0]).toEqual([0, 0, true]);
  });

  it('explain has words for the network and the limits', () => {
    expect(hotcell(['policy', 'explain', 'LOW']).stdout).toMatch(/no network[\s\S]*256 MiB/);
  });

  it('schema is the one in the docs', () => {
    const kept: unknown = JSON.parse(readFileSync(join(repository, 'docs', 'schema', 'policy.json'), 'utf8'));
    expect(JSON.parse(hotcell(['policy', 'schema']).stdout)).toEqual(kept);
  });

  it('does not let a policy steer the terminal', () => {
    const file = join(folder, 'escape.json');
    writeFileSync(
      file,
      JSON.stringify({
        extends: 'LOW',
        name: 'a\u001b]0;title\u0007\u202eb',
        tools: [{ tool: 'x\u001b[2Jy', verdict: 'allow' }],
      }),
    );
    for (const command of [
      ['check', file],
      ['explain', file],
      ['diff', 'LOW', file],
      ['show', file],
    ]) {
      const ran = hotcell(['policy', ...command]);
      expect(ran.stdout + ran.stderr).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });
});
