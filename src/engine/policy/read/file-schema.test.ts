import { describe, expect, it } from 'vitest';
import { tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { policyFileSchema, policyJsonSchema } from './file-schema.ts';
import { parsePolicy, policyFileKeys } from './parse.ts';

const files: [string, unknown][] = [
  ...tiers.map((tier): [string, unknown] => [tier, tierPolicy(tier)]),
  ['the shortest', { extends: 'LOW' }],
  [
    'short forms',
    {
      $schema: 'https://example.com/policy.json',
      version: 1,
      extends: 'HIGH',
      files: { read: ['/a', { path: '/b', why: 'x' }], execute: ['{work}'] },
      environment: ['A', { name: 'B', value: '1' }],
      network: {
        mode: 'allowlist',
        rules: ['a.com:443', '.b.com:80', 'c.com:*', '*', '*:443', '[::1]:443', { host: 'd.com', port: 1 }],
      },
      limits: { processes: 10 },
      syscalls: { deny: ['bpf', { name: 'ioctl(tiocsti)', why: 'x' }] },
      tools: [{ tool: 'a', verdict: 'ask', arguments: { path: { type: 'string' } } }],
    },
  ],
];

describe('the schema for editors', () => {
  it.each(files)('accepts what the reader accepts: %s', (_name, value) => {
    expect(policyFileSchema.safeParse(value).error).toBeUndefined();
    expect(() => parsePolicy(value, 'x')).not.toThrow();
  });

  it.each<[string, unknown]>([
    ['an unknown key', { extends: 'LOW', extra: 1 }],
    ['half a policy', { version: 1, files: [] }],
    ['an unknown limit', { extends: 'LOW', limits: { memory: 1 } }],
  ])('refuses what the reader refuses: %s', (_name, value) => {
    expect(policyFileSchema.safeParse(value).success).toBe(false);
    expect(() => parsePolicy(value, 'x')).toThrow();
  });

  it('is a JSON Schema with the same keys as the reader', () => {
    const schema = policyJsonSchema();
    expect(schema.$schema).toContain('2020-12');
    const [extending] = schema.anyOf as { properties: Record<string, unknown> }[];
    expect(Object.keys(extending?.properties ?? {}).sort()).toEqual([...policyFileKeys].sort());
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});
