import { describe, expect, it } from 'vitest';
import { type Policy, tiers } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../tiers.ts';
import { compile } from './index.ts';
import { samplePlace } from './sample-place.ts';
import { compileSandboxRuntime } from './sandbox-runtime.ts';

function withRules(rules: Policy['network']['rules'], mode: Policy['network']['mode'] = 'allowlist') {
  return compileSandboxRuntime({ ...tierPolicy('LOW'), network: { mode, rules } });
}

function withFiles(files: Policy['files']) {
  return compileSandboxRuntime({ ...tierPolicy('LOW'), files });
}

describe('compileSandboxRuntime', () => {
  it.each(tiers)('%s refuses every file before it gives some', (tier) => {
    const { filesystem, network } = compileSandboxRuntime(tierPolicy(tier)).value;
    expect(filesystem.denyRead).toEqual(['/']);
    expect(filesystem.allowRead).toEqual(expect.arrayContaining(['/usr', '.', './.home', '/tmp/claude']));
    expect(network.strictAllowlist).toBe(true);
  });

  it.each([
    ['LOW', ['./.home', '/tmp/claude']],
    ['HIGH', ['./.home', '/tmp/claude', '.']],
  ] as const)('in %s writes to %j', (tier, paths) => {
    expect(compileSandboxRuntime(tierPolicy(tier)).value.filesystem.allowWrite).toEqual(paths);
  });

  it('knows paths below the folders of the box, and never the home of the user', () => {
    const { filesystem } = withFiles([
      { path: '{work}/data', access: 'write' },
      { path: '{home}/.cache/', access: 'write' },
      { path: '{tmp}/x', access: 'read' },
    ]).value;
    expect(filesystem.allowWrite).toEqual(['./.home/.cache', './data']);
    expect(JSON.stringify(filesystem)).not.toContain('~');
  });

  it.each([
    ['api.example.com', 443, ['api.example.com:443']],
    ['api.example.com', '*', ['api.example.com']],
    ['.example.com', 443, ['example.com:443', '*.example.com:443']],
    ['192.0.2.1', 80, ['192.0.2.1:80']],
    ['2001:db8::1', 443, ['[2001:db8::1]:443']],
    ['localhost', 3000, ['localhost:3000']],
  ] as const)('%s on %s is %j', (host, port, domains) => {
    expect(withRules([{ host, port }]).value.network.allowedDomains).toEqual(domains);
  });

  it.each([
    ['*', '*', 'network-anybody'],
    ['*', 443, 'network-anybody'],
    ['intranet', 80, 'network-rule'],
    ['.com', 443, 'network-rule'],
  ] as const)('%s on %s is left out and told', (host, port, id) => {
    const { value, gaps } = withRules([{ host, port }]);
    expect(value.network.allowedDomains).toEqual([]);
    expect(gaps).toContainEqual(expect.objectContaining({ id, path: 'network.rules[0]', effect: 'closed' }));
  });

  it.each(['none', 'fake'] as const)('has no network for %s, whatever the rules say', (mode) => {
    expect(withRules([{ host: 'example.com', port: 443 }], mode).value.network.allowedDomains).toEqual([]);
  });

  it('takes no name for a pattern', () => {
    const { value, gaps } = withFiles([{ path: '/data/*', access: 'write' }]);
    expect([value.filesystem.allowRead, value.filesystem.allowWrite]).toEqual([[], []]);
    expect(gaps).toContainEqual(expect.objectContaining({ id: 'path-characters', path: 'files[0]' }));
  });

  it('tells what is not kept', () => {
    const open = compileSandboxRuntime(tierPolicy('LOW')).gaps.filter(({ effect }) => effect === 'open');
    expect(open.map(({ id }) => id)).toEqual(['no-exec', 'environment', 'limits', 'syscalls']);
  });

  it('is JSON also where a path cannot be seen', () => {
    const path = '/a\u202eb\u200b';
    const { text } = compile(
      { ...tierPolicy('LOW'), files: [{ path, access: 'read' }] },
      'sandbox-runtime',
      samplePlace(),
    );
    expect(JSON.parse(text)).toMatchObject({ filesystem: { allowRead: [path] } });
  });
});
