import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInlineRequires, readRequirements } from './python-requires.ts';
import { consoleScriptFile, placeOf, readEntryPoints, scriptFile, virtualEnvironment } from './wheel-files.ts';
import { chooseFile, wheelRank } from './wheel-tags.ts';

const venv = virtualEnvironment('{home}/app/venv', '3.11.2');

describe('which wheel', () => {
  it.each([
    ['py3-none-any', 2],
    ['py2.py3-none-any', 2],
    ['cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64', 4],
    ['cp312-cp312-manylinux_2_17_x86_64', 0],
    ['cp311-cp311-musllinux_1_2_x86_64', 0],
    ['cp311-cp311-manylinux_2_17_aarch64', 0],
    ['cp39-abi3-manylinux_2_28_x86_64', 3],
    ['cp312-abi3-manylinux_2_28_x86_64', 0],
    ['py3-none-manylinux_2_17_x86_64', 3],
    ['cp311-cp311-macosx_11_0_arm64', 0],
    ['py2-none-any', 0],
    ['', 0],
  ])('%s: %d', (tags, rank) => {
    expect(wheelRank(tags, 11, 'x64')).toBe(rank);
  });

  it('takes source where no wheel fits', () => {
    const file = { filename: 'a', url: 'https://files.example/a', hashes: new Map<string, string>(), isYanked: false };
    const wheel = { version: '1', kind: 'wheel' as const, tags: 'cp27-cp27m-win32', file };
    const sdist = { version: '1', kind: 'sdist' as const, tags: '', file };
    expect(chooseFile([wheel, sdist, { ...sdist, version: '2' }], '1', 11)).toBe(sdist);
    expect(chooseFile([wheel], '1', 11)).toBeUndefined();
  });
});

describe('the files of a wheel', () => {
  it.each([
    ['pkg/a.py', '{home}/app/venv/lib/python3.11/site-packages/pkg/a.py', false],
    ['x-1.data/purelib/pkg/a.py', '{home}/app/venv/lib/python3.11/site-packages/pkg/a.py', false],
    ['x-1.data/scripts/tool', '{home}/app/venv/bin/tool', true],
    ['x-1.data/data/share/x', '{home}/app/venv/share/x', false],
  ])('%s', (path, place, isScript) => {
    expect(placeOf(path, venv)).toEqual({ path: place, isScript });
  });

  it.each([
    { text: '[console_scripts]\na = m.n:main\n', scripts: ['a m.n main'] },
    { text: '[other]\nx = y:z\n[console_scripts]\nb=m:A.run [extra]\n', scripts: ['b m A.run'] },
    { text: '[console_scripts]\n../x = m:f\ny = m\nz = m;os:f\n', scripts: [] },
  ])('$text', ({ text, scripts }) => {
    const read = readEntryPoints(text).map(({ name, module, attribute }) => `${name} ${module} ${attribute}`);
    expect(read).toEqual(scripts);
  });

  it('starts the Python beside a script', () => {
    const { bytes } = consoleScriptFile({ name: 'a', module: 'm', attribute: 'main' }, venv);
    expect(Buffer.from(bytes).toString().split('\n').slice(0, 3)).toEqual([
      '#!/bin/sh',
      `'''exec' "\${0%/*}/python" "$0" "$@"`,
      "' '''",
    ]);
    const own = Buffer.from(scriptFile('b', Buffer.from('#!python\nprint(1)\n')).bytes).toString();
    expect(own.endsWith("' '''\nprint(1)\n")).toBe(true);
    expect(Buffer.from(scriptFile('b', Buffer.from('#!/bin/sh\n')).bytes).toString()).toBe('#!/bin/sh\n');
  });
});

describe('requirements in files', () => {
  it('are lines without comments, options and hashes', () => {
    const text =
      '# x\nmcp>=1 # why\n-r other.txt\n--index-url https://x\na==1 \\\n  --hash=sha256:00\nhttps://x/y.whl\n';
    expect(readRequirements(text)).toEqual(['mcp>=1', 'a==1']);
  });

  it('stand in a single script', () => {
    const text = '# /// script\n# requires-python = ">=3.10"\n# dependencies = ["mcp", "httpx>=0.2"]\n# ///\nprint()\n';
    expect(readInlineRequires(text)).toEqual(['mcp', 'httpx>=0.2']);
    expect(readInlineRequires('# /// script\n# dependencies = [\n')).toEqual([]);
    expect(readInlineRequires('print()')).toEqual([]);
  });

  it('are read from any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readRequirements(text);
        readEntryPoints(text);
        readInlineRequires(`# /// script\n# ${text}\n# ///\n`);
      }),
    );
  });
});
