import { describe, expect, it } from 'vitest';
import { tiers } from '../../base/policy-schema.ts';
import { explainPolicy } from './explain.ts';
import { tierPolicy } from './tiers.ts';

describe('explainPolicy', () => {
  it.each(tiers)('names every path, host, variable, call and reason of %s', (tier) => {
    const policy = tierPolicy(tier);
    const text = explainPolicy(policy);
    const named = [
      ...policy.files.map(({ path }) => path),
      ...policy.environment.map(({ name }) => name),
      ...policy.syscalls.deny.map(({ name }) => name),
      ...[...policy.files, ...policy.network.rules, ...policy.syscalls.deny].map(({ why }) => why ?? ''),
    ];
    expect(named.filter((word) => !text.includes(word))).toEqual([]);
    expect(text.endsWith('\n')).toBe(true);
  });

  it('says what is not allowed in words', () => {
    const policy = { ...tierPolicy('LOW'), files: [], environment: [], syscalls: { deny: [] } };
    const text = explainPolicy(policy);
    for (const sentence of [
      'It has no network.',
      'It may run no program.',
      'It may write nothing.',
      'The kernel refuses it no call.',
    ]) {
      expect(text).toContain(sentence);
    }
  });

  it('speaks of sizes and times as people do', () => {
    const text = explainPolicy(tierPolicy('LOW'));
    expect(text).toContain('memory: 256 MiB');
    expect(text).toContain('time: 5 min');
    expect(text).toContain('processor: 0.5 cores');
  });

  it('shows tools by verdict', () => {
    const text = explainPolicy({ ...tierPolicy('LOW'), tools: [{ tool: 'rm', verdict: 'deny', why: 'it removes' }] });
    expect(text).toContain('  deny: rm: it removes');
  });

  it('prints no control or invisible character of the policy', () => {
    const policy = { ...tierPolicy('LOW'), name: 'a\u001b[31m\u202eb' };
    policy.files.push({ path: '/x\u200b\n', access: 'read', why: 'y\u0007' });
    const text = explainPolicy(policy);
    expect(text).toContain('a\\x1b[31m\\u{202e}b');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
