import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TargetError } from '../../../../base/errors.ts';
import { buildGraph } from './builder.ts';
import { npmSamples, pythonSamples } from './lock-samples.ts';
import { lockReaders } from './readers/index.ts';

/** Any text gives a lock or a TargetError: nothing else is thrown, and what was read can always be made a graph. */
function survives(file: string, text: string): void {
  const reader = lockReaders.find(({ isFor }) => isFor(file));
  if (reader === undefined) throw new Error(`nobody reads ${file}`);
  try {
    const graph = buildGraph(
      reader.read(text, () => text),
      file,
    );
    const known = new Set(graph.components.map(({ purl }) => purl));
    expect(graph.components.every(({ dependsOn }) => dependsOn.every((purl) => known.has(purl)))).toBe(true);
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
  }
}

const files = [
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'package.json',
  'uv.lock',
  'poetry.lock',
  'Pipfile.lock',
  'requirements.txt',
  'pyproject.toml',
];

const words = [
  'packages',
  'dependencies',
  'node_modules/a',
  'version',
  '__proto__',
  'importers',
  'snapshots',
  'default',
  'package',
  'resolution',
  '@a/b',
  'a@1',
  'name',
  'lockfileVersion',
  'requires',
  'workspaces',
  '',
];
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, 1, true, '1.0.0', 'a@1.0.0', '^1', 'link:x', ''),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie('node'), { maxKeys: 6 }),
  ),
})).node;

describe('lock files that are anything', () => {
  it.each(files)('%s survives any text', (file) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => survives(file, text)),
      { numRuns: 300 },
    );
  });

  it.each(files)('%s survives any shape', (file) => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...words), value, { maxKeys: 8 }), (shape) =>
        survives(file, JSON.stringify({ lockfileVersion: 3, ...shape })),
      ),
      { numRuns: 300 },
    );
  });

  it.each([...npmSamples, ...pythonSamples])('$title survives cuts and changes', ({ file, files: sample }) => {
    const text = sample[file] ?? '';
    const edit = fc.tuple(fc.nat({ max: text.length }), fc.nat({ max: 40 }), fc.string({ maxLength: 8 }));
    fc.assert(
      fc.property(edit, ([at, length, by]) => survives(file, text.slice(0, at) + by + text.slice(at + length))),
      { numRuns: 300 },
    );
  });
});
