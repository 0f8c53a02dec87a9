import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkHouse } from './check.ts';
import type { House } from './house.ts';

const house: House = {
  floors: ['doors', 'instruments', 'engine', 'base'],
  separate: ['instruments'],
  folders: {
    'doors/cli': { neighbours: ['doors/settings'], packages: [] },
    'doors/settings': { neighbours: [], packages: [] },
    'instruments/guard': { neighbours: [], packages: [] },
    'instruments/lab': { neighbours: ['instruments/guard'], packages: [] },
    'engine/box': { neighbours: ['engine/policy'], packages: [] },
    'engine/policy': { neighbours: [], packages: [] },
    base: { neighbours: [], packages: ['zod'] },
  },
  outside: { scripts: { packages: [] } },
  testPackages: ['vitest'],
  testFolders: ['test/samples'],
  largestSourceBytes: 500,
};

/** A house in which everything is in order. */
const goodHouse: Readonly<Record<string, string>> = {
  'src/index.ts': "export { box } from './engine/box/index.ts';",
  'src/doors/cli/main.ts': "import '../settings/a.ts'; import '../../instruments/lab/a.ts'; import '../../base/a.ts';",
  'src/doors/settings/a.ts': "import type { A } from '../../engine/box/index.ts';",
  'src/engine/box/c.test.ts': "import '../../../test/samples/a.ts';",
  'src/instruments/lab/a.ts': "import './b.ts'; import('../../engine/policy/deep/a.ts');",
  'src/instruments/lab/b.ts': 'export const b = 1;',
  'src/instruments/guard/a.ts': "import { readFile } from 'node:fs/promises';",
  'src/engine/box/index.ts': "import '../policy/deep/a.ts'; import '../../base/a.ts';",
  'src/engine/policy/deep/a.ts': "import '../b.ts';",
  'src/engine/policy/b.ts': '',
  'src/base/a.ts': "import { z } from 'zod';",
  'src/base/a.test.ts': "import { it } from 'vitest'; import './a.ts';",
  'scripts/a.ts': "import '../src/engine/box/index.ts';",
};

describe('checkHouse', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'layers-'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function check(changes: Readonly<Record<string, string>>, changedHouse: House = house): readonly string[] {
    for (const [path, text] of Object.entries({ ...goodHouse, ...changes })) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return checkHouse(root, changedHouse).problems;
  }

  it('is silent about a house in order, and has read all of it', () => {
    expect(check({})).toEqual([]);
    expect(checkHouse(root, house).files).toBe(Object.keys(goodHouse).length);
  });

  const broken: readonly [string, string, string, RegExp][] = [
    [
      'an import upward',
      'src/base/b.ts',
      "import '../engine/box/index.ts';",
      /^src\/base\/b\.ts:1: .*base is below engine/,
    ],
    [
      'a type import upward',
      'src/engine/box/b.ts',
      "import type { A } from '../../doors/cli/main.ts';",
      /engine is below doors/,
    ],
    [
      'a dynamic import upward',
      'src/engine/box/b.ts',
      "\nawait import('../../instruments/lab/a.ts');",
      /b\.ts:2: .*engine is below instruments/,
    ],
    [
      'a re-export upward',
      'src/engine/box/b.ts',
      "export { a } from '../../doors/cli/main.ts';",
      /engine is below doors/,
    ],
    ['a test that looks upward', 'src/base/b.test.ts', "import '../engine/box/index.ts';", /base is below engine/],
    [
      'an undeclared neighbour',
      'src/engine/policy/c.ts',
      "import '../box/index.ts';",
      /engine\/policy does not declare engine\/box/,
    ],
    [
      'an undeclared neighbour among doors',
      'src/doors/settings/b.ts',
      "import '../cli/main.ts';",
      /does not declare doors\/cli/,
    ],
    [
      'instruments that meet, even declared',
      'src/instruments/lab/c.ts',
      "import '../guard/a.ts';",
      /instruments never import each other/,
    ],
    [
      'a package that is not declared',
      'src/engine/box/b.ts',
      "import Docker from 'dockerode';",
      /^engine\/box: uses the package dockerode/,
    ],
    [
      'a deep path into such a package',
      'src/engine/box/b.ts',
      "import '@scope/name/deep';",
      /uses the package @scope\/name,/,
    ],
    ['a test package outside a test', 'src/base/b.ts', "import { it } from 'vitest';", /base: uses the package vitest/],
    ['a package of a script', 'scripts/b.ts', "import 'zod';", /scripts: uses the package zod/],
    [
      'a package that is declared in vain',
      'src/base/a.ts',
      '',
      /base: layers\.json declares the package zod, which it does not use/,
    ],
    [
      'a way out of the house',
      'src/engine/box/b.ts',
      "import '../../../scripts/a.ts';",
      /scripts\/a\.ts is outside the floors/,
    ],
    [
      'samples outside a test',
      'src/engine/box/b.ts',
      "import '../../../test/samples/a.ts';",
      /test\/samples\/a\.ts is outside the floors/,
    ],
    ['a builtin without its prefix', 'src/base/b.ts', "import 'fs';", /write node:fs/],
    ['an absolute path', 'src/base/b.ts', "import '/etc/x.ts';", /is not a package or a relative path/],
    ['a computed import', 'src/base/b.ts', 'await import(name);', /is computed/],
    ['a folder nobody knows', 'src/engine/other/a.ts', '', /the folder engine\/other is not in layers\.json/],
    ['a file that is too large', 'src/base/b.ts', '/'.repeat(501), /^src\/base\/b\.ts: 501 bytes, more than 500/],
  ];
  it.each(broken)('finds %s', (_, path, text, message) => {
    const problems = check({ [path]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  });

  it('is not fooled by comments and strings', () => {
    expect(check({ 'src/base/b.ts': "// import '../engine/box/index.ts'\nconst a = `import 'fs'`;" })).toEqual([]);
  });

  it('finds floors, folders and neighbours that do not exist', () => {
    const changed: House = {
      ...house,
      floors: [...house.floors, 'cellar'],
      folders: { ...house.folders, 'engine/net': { neighbours: ['engine/gone'], packages: [] } },
    };
    expect(check({}, changed)).toEqual([
      'src/cellar: this floor does not exist',
      'src/engine/net: layers.json names it, but it does not exist',
      'engine/net: its neighbour engine/gone is no folder of layers.json',
    ]);
  });
});
