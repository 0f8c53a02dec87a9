import { describe, expect, it } from 'vitest';
import { findImports } from './imports.ts';

const names = (source: string) => findImports(source).map((found) => found.specifier);

describe('findImports', () => {
  const table: readonly [string, string, readonly (string | null)[]][] = [
    ['a named import', "import { a } from 'x';", ['x']],
    ['a default import', "import a from 'x';", ['x']],
    ['a namespace import', "import * as a from 'x';", ['x']],
    ['both', "import a, { b as c } from 'x';", ['x']],
    ['only for its effects', "import 'x';", ['x']],
    ['types', "import type { A } from 'x';", ['x']],
    ['one type among values', "import { type A, b } from 'x';", ['x']],
    ['a name that is called type', "import type from 'x';", ['x']],
    ['a name that is called from', "import from from 'x';", ['x']],
    ['attributes', "import a from 'x.json' with { type: 'json' };", ['x.json']],
    ['several lines', "import {\n  a, // from 'no'\n  b, /* from 'no' */\n}\n  from\n  'x';", ['x']],
    ['without semicolons', "import a from 'x'\nimport b from 'y'\nconst c = 1", ['x', 'y']],
    ['nothing between the tokens', 'import{a}from\'x\';import*as b from"y"', ['x', 'y']],
    ['a re-export', "export { a } from 'x';", ['x']],
    ['a re-export of types', "export type { A } from 'x';", ['x']],
    ['a re-export of all', "export * from 'x'; export * as b from 'y';", ['x', 'y']],
    ['an export of its own', "const from = 1; export { from }; const a = 'x';", []],
    ['an export of its own before a string', "export { a }\n'x';", []],
    ['an exported declaration', "export const a = 'x'; export function from() { return 'y'; }", []],
    ['a dynamic import', "const a = await import('x');", ['x']],
    ['a dynamic import with a template', 'await import(`x`);', ['x']],
    ['a dynamic import with attributes', "await import('x', { with: { type: 'json' } });", ['x']],
    ['a type import inside a type', "type A = import('x').B;", ['x']],
    ['a computed import', 'await import(name);', [null]],
    ['a computed template', 'await import(`x/${name}`);', [null]],
    ['a joined name', "await import('x' + name);", [null]],
    ['require', "const a = require('x');", ['x']],
    ['an escaped name', "import a from '\\x78\\u0079\\u{7a}';", ['xyz']],
    ['in a line comment', "// import a from 'x';\nimport b from 'y';", ['y']],
    ['in a block comment', "/* import a from 'x'; */ /** export * from 'z' */ import b from 'y';", ['y']],
    ['in a string', 'const a = "import b from \'x\'"; const c = \'import("y")\';', []],
    ['in a template', "const a = `import b from 'x'; ${1} import('z')`;", []],
    ['inside a computed part of a template', "const a = `text ${(await import('x')).b} import('no')`;", ['x']],
    ['templates in templates', "const a = `${`${await import('x')}`} import('no')`; import('y');", ['x', 'y']],
    ['braces inside a computed part', "const a = `${{ b: { c: 1 } }.b} ' ${2}`; import('x');", ['x']],
    ['in a regular expression', "const a = /import('x')/; const b = /[/'\"]/g; import 'y';", ['y']],
    ['a division is no regular expression', "const a = b / c; import('x'); const d = e / f;", ['x']],
    ['a division after a bracket', "const a = (b) / 2; const c = d[0] / 2; import 'x'; // / '", ['x']],
    ['import.meta', "const a = import.meta.url; new URL('./worker.ts', import.meta.url);", []],
    ['a property', "a.import('x'); const b = { import: 'y' };", []],
    ['an escaped quote', "const a = 'it\\'s import(\"no\")'; import('x');", ['x']],
    ['a shebang', "#!/usr/bin/env node import('no')\nimport 'x';", ['x']],
    ['nothing', '', []],
    ['an open string', "const a = 'import(", []],
    ['an open comment', "/* import 'x';", []],
    ['an open template', "const a = `import('x')", []],
  ];
  it.each(table)('%s', (_, source, expected) => {
    expect(names(source)).toEqual(expected);
  });

  it('knows the line', () => {
    expect(findImports("\n\nimport {\n a } from 'x';\n\nimport('y');").map((found) => found.line)).toEqual([3, 6]);
  });
});
