import { describe, expect, it } from 'vitest';
import type { DependencyEdge, DependencyGraph } from '../../../targets/ingest/fetch/dependencies/contract.ts';
import { lostArchives } from './gather.ts';
import { readSources } from './sources.ts';

function graphOf(...direct: readonly DependencyEdge[]): DependencyGraph {
  return { direct, packages: [], unresolved: [], isComplete: true };
}

const edge = (name: string, kind: DependencyEdge['kind']): DependencyEdge => ({ name, range: '*', kind });

describe('archives that could not be had', () => {
  it.each<['npm' | 'pypi', string, DependencyGraph | null, boolean]>([
    ['npm', '@s/a@1.0.0: the file does not have the sha512 hash', graphOf(edge('@s/a', 'normal')), true],
    ['npm', 'a@1.0.0: 404', graphOf(edge('a', 'optional')), false],
    ['npm', 'a@1.0.0: 404', null, true],
    ['npm', 'needs "a" "^1": no such version', graphOf(), false],
    ['npm', 'the tree is large: types are not in the box', graphOf(), false],
    ['pypi', 'some-project 1.0.0: no file of it fits', null, true],
    ['pypi', 'needs "a" ">=1": no index has it', null, false],
  ])('%s: %s', (ecosystem, problem, graph, expected) => {
    expect(lostArchives({ ecosystem, problems: [problem] }, graph)).toEqual(expected ? [problem] : []);
  });
});

describe('where packages come from', () => {
  it.each<[string, 'npm' | 'pypi', Readonly<Record<string, string>>]>([
    ['-y --registry https://r.example p', 'npm', { npm_config_registry: 'https://r.example' }],
    ['--registry=https://r.example', 'npm', { npm_config_registry: 'https://r.example' }],
    ['-i https://r.example', 'npm', {}],
    ['-i https://r.example', 'pypi', { PIP_INDEX_URL: 'https://r.example' }],
    [
      '--index https://a.example --extra-index-url=https://b.example',
      'pypi',
      { PIP_EXTRA_INDEX_URL: 'https://a.example https://b.example' },
    ],
    ['-y p', 'npm', {}],
  ])('%s (%s)', (line, ecosystem, expected) => {
    expect(readSources(line.split(' '), ecosystem).environment).toEqual(expected);
  });

  it('is told or refused where it is not obeyed', () => {
    expect(readSources(['--python', '3.12', 'p'], 'pypi').problems).toEqual([
      expect.stringMatching(/Python of the system/),
    ]);
    expect(() => readSources(['--with-editable', '.', 'p'], 'pypi')).toThrow(/not understood/);
  });
});
