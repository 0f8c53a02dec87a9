import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIndex } from './pip-index.ts';
import { readCandidate, selectCandidate } from './pip-select.ts';

const page = 'https://h.example/simple/p/';
const html = (text: string) => readIndex(text, 'text/html', page);

describe('a page of an index', () => {
  it.each<[string, string, string[]]>([
    ['relative', '<a href="../../f/p-1.tar.gz#sha256=ab">x</a>', ['https://h.example/f/p-1.tar.gz sha256=ab']],
    ['another base', '<base href="https://o.example/"><a href="p-1.tar.gz">x</a>', ['https://o.example/p-1.tar.gz ']],
    [
      'single quotes, no quotes',
      `<A HREF='p-1.zip'>x</A><a href=p-2.zip>x</a>`,
      [`${page}p-1.zip `, `${page}p-2.zip `],
    ],
    ['a hash that is not trusted', '<a href="p-1.zip#md5=ab">x</a>', [`${page}p-1.zip `]],
    ['entities', '<a href="p-1.zip?a=1&amp;b=2" data-requires-python="&gt;=3">x</a>', [`${page}p-1.zip?a=1&b=2 `]],
    ['no link', '<a name="x">x</a><a href="http://[">x</a>', []],
    ['nothing', '', []],
  ])('%s', (_, text, expected) => {
    expect(html(text).map(({ url, hashes }) => `${url} ${[...hashes].map((pair) => pair.join('=')).join()}`)).toEqual(
      expected,
    );
  });

  it('in JSON is read in the same words', () => {
    const text = JSON.stringify({
      files: [
        {
          filename: 'p-1.zip',
          url: 'p-1.zip',
          hashes: { sha256: 'AB', md5: 'x' },
          yanked: false,
          'requires-python': '>=3',
        },
      ],
    });
    expect(readIndex(text, 'application/vnd.pypi.simple.v1+json', page)).toEqual([
      {
        filename: 'p-1.zip',
        url: `${page}p-1.zip`,
        hashes: new Map([['sha256', 'ab']]),
        isYanked: false,
        requiresPython: '>=3',
      },
    ]);
  });

  it('whatever it is', () => {
    const pieces = fc.constantFrom(
      '<a ',
      'href',
      '=',
      '"',
      "'",
      '>',
      '</a>',
      '#sha256=',
      '&gt;',
      '&#',
      '%',
      '<base ',
      'x',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
      fc.json(),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom('text/html', 'application/json'), (text, type) => {
        for (const file of readIndex(text, type, page)) expect(URL.canParse(file.url)).toBe(true);
      }),
    );
  });
});

describe('the name of a file', () => {
  it.each<[string, string, string | null]>([
    ['p-1.0-py3-none-any.whl', 'p', '1.0 wheel'],
    ['p-1.0-1-py3-none-any.whl', 'p', '1.0 wheel'],
    ['My_Pack-1.0.post1-py3-none-any.whl', 'my-pack', '1.0.post1 wheel'],
    ['p-1.0.tar.gz', 'p', '1.0 sdist'],
    ['my-pack-1.0.zip', 'my-pack', '1.0 sdist'],
    ['my-pack-2-1.0.zip', 'my-pack', null],
    ['my-pack-2-1.0.zip', 'my-pack-2', '1.0 sdist'],
    ['other-1.0.tar.gz', 'p', null],
    ['p-1.0.exe', 'p', null],
    ['p-x.tar.gz', 'p', null],
    ['p.whl', 'p', null],
  ])('%s of %s', (filename, name, expected) => {
    const found = readCandidate({ filename, url: 'https://h/x', hashes: new Map(), isYanked: false }, name);
    expect(found === undefined ? null : `${found.version} ${found.kind}`).toBe(expected);
  });
});

describe('which version', () => {
  const files = ['1.0', '1.1', '1.2rc1', '2.0.dev1'].map((version) => `p-${version}.tar.gz`);
  const pick = (names: string[], specifier: string) =>
    selectCandidate(
      names.flatMap(
        (filename) => readCandidate({ filename, url: 'https://h/x', hashes: new Map(), isYanked: false }, 'p') ?? [],
      ),
      specifier,
      '3.12.0',
    )?.version;
  it.each([
    ['', '1.1'],
    ['>=1.0', '1.1'],
    ['~=1.0', '1.1'],
    ['!=1.1', '1.0'],
    ['>=1.2rc1,<2', '1.2rc1'],
    ['==1.2rc1', '1.2rc1'],
    ['>=1.5', '2.0.dev1'],
    ['===1.0', '1.0'],
    ['>3', undefined],
  ])('%s is %s', (specifier, version) => {
    expect(pick(files, specifier)).toBe(version);
  });

  it('before a release only when there is none', () => {
    expect(pick(['p-1.0a1.tar.gz', 'p-1.0a2.tar.gz'], '')).toBe('1.0a2');
  });
});
