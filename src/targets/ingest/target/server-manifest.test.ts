import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeTarget } from './parse.ts';
import { readServerManifest } from './server-manifest.ts';

describe('what a server.json offers', () => {
  it.each<[string, unknown, string[], number]>([
    ['npm', { packages: [{ registryType: 'npm', identifier: '@s/p', version: '1.0.0' }] }, ['npm:@s/p@1.0.0'], 0],
    ['pypi', { packages: [{ registryType: 'pypi', identifier: 'p', version: '1.0' }] }, ['pypi:p==1.0'], 0],
    [
      'an image',
      { packages: [{ registryType: 'oci', identifier: 'h.example/o/i', version: '1' }] },
      ['image:h.example/o/i:1'],
      0,
    ],
    ['the older form', { packages: [{ registry_name: 'npm', name: 'p', version: '2.0.0' }] }, ['npm:p@2.0.0'], 0],
    [
      'in an envelope',
      { server: { name: 'x', remotes: [{ type: 'sse', url: 'https://h.example/sse' }] } },
      ['https://h.example/sse'],
      0,
    ],
    [
      'something else',
      { packages: [{ registryType: 'nuget', identifier: 'x' }, null], remotes: [{ url: 'file:///x' }] },
      [],
      3,
    ],
    ['nothing', {}, [], 0],
  ])('%s', (_, manifest, targets, problems) => {
    const offered = readServerManifest(manifest);
    expect(offered.targets.map(describeTarget)).toEqual(targets);
    expect(offered.problems).toHaveLength(problems);
  });

  it('whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (packages, remotes) => {
        const list = [packages, { registryType: 'npm', identifier: packages, version: remotes }];
        expect(readServerManifest({ packages: list, remotes: [remotes] }).targets).toBeInstanceOf(Array);
      }),
    );
  });
});
