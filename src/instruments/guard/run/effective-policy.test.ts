import { describe, expect, it } from 'vitest';
import { policySchema } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { effectivePolicy, listedVariables, noFlags, runLimits } from './effective-policy.ts';

const low = tierPolicy('LOW');
const server = { files: [{ path: '/srv/server', access: 'execute' as const }] };

describe('effectivePolicy', () => {
  it('adds what the server cannot start without, and is a policy', () => {
    const policy = effectivePolicy({ policy: low, isPreset: true }, server);
    expect(policy.files).toEqual([...low.files, ...server.files]);
    expect(policySchema.safeParse(policy).success).toBe(true);
  });

  it.each([
    ['x64', '/lib64'],
    ['arm64', '/lib'],
  ])('adds the loader of %s where no line has it', (architecture, path) => {
    const bare = { ...low, files: [] };
    const { files } = effectivePolicy({ policy: bare, isPreset: false }, { files: [] }, noFlags, architecture);
    expect(files).toMatchObject([{ path, access: 'execute' }]);
  });

  it('gives a tier the time of a session, and leaves a file as it is written', () => {
    expect(effectivePolicy({ policy: low, isPreset: true }, server).limits).toEqual({ ...low.limits, ...runLimits });
    expect(effectivePolicy({ policy: low, isPreset: false }, server).limits).toEqual(low.limits);
  });

  it('lets a flag have the last word about a limit', () => {
    const limits = { wallMs: 1000 };
    expect(effectivePolicy({ policy: low, isPreset: true }, server, { ...noFlags, limits }).limits.wallMs).toBe(1000);
  });

  it('adds paths, hosts and variables of the flags', () => {
    const flags = {
      ...noFlags,
      read: ['/srv/a'],
      write: ['/srv/b'],
      hosts: [{ host: 'api.example', port: 443 }],
      variables: ['LANG', 'API_KEY', 'API_KEY'],
    };
    const policy = effectivePolicy({ policy: low, isPreset: true }, server, flags);
    expect(policy.files.slice(-2)).toMatchObject([
      { path: '/srv/a', access: 'read' },
      { path: '/srv/b', access: 'write' },
    ]);
    expect(policy.network).toMatchObject({ mode: 'allowlist', rules: [{ host: 'api.example', port: 443 }] });
    expect(policy.environment.slice(low.environment.length).map(({ name }) => name)).toEqual(['API_KEY']);
  });

  it('keeps the hosts of the policy, but none of a fake internet', () => {
    const hosts = [{ host: 'api.example', port: 443 }];
    const medium = tierPolicy('MEDIUM');
    expect(
      effectivePolicy({ policy: medium, isPreset: true }, server, { ...noFlags, hosts }).network.rules,
    ).toHaveLength(medium.network.rules.length + 1);
    const fake = { ...low, network: { mode: 'fake' as const, rules: [] } };
    expect(effectivePolicy({ policy: fake, isPreset: true }, server, { ...noFlags, hosts }).network.mode).toBe(
      'allowlist',
    );
  });
});

describe('listedVariables', () => {
  const caller = { API_KEY: 'k', LANG: 'de', OTHER: 'o', PATH: '/bin' };
  const policy = {
    ...low,
    environment: [...low.environment, { name: 'API_KEY' }, { name: 'FIXED', value: '1' }, { name: 'UNSET' }],
  };

  it('passes what a policy file lists beyond what everybody may have', () => {
    expect(listedVariables({ policy, isPreset: false }, caller)).toEqual({ API_KEY: 'k' });
  });

  it('passes nothing for a tier', () => {
    expect(listedVariables({ policy: tierPolicy('MEDIUM'), isPreset: true }, { GITHUB_TOKEN: 't' })).toEqual({});
  });
});
