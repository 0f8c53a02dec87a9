import { describe, expect, it } from 'vitest';
import { hashesOfDigests, hashesOfFragment, hashesOfIntegrity } from './integrity.ts';
import { isPackageName, makePurl, normalisePythonName } from './purl.ts';
import { parseRequirement } from './readers/python-requirement.ts';

const sha512 = Buffer.alloc(64, 1);

describe('hashes', () => {
  it.each<[string, unknown, number]>([
    ['one', `sha512-${sha512.toString('base64')}`, 1],
    ['two', `sha1-${Buffer.alloc(20).toString('base64')} sha512-${sha512.toString('base64')}`, 2],
    ['with options', `sha512-${sha512.toString('base64')}?x`, 1],
    ['of a wrong length', 'sha512-AAAA', 0],
    ['of an unknown kind', 'sha3-AAAA', 0],
    ['of another type', 7, 0],
    ['with a name from the prototype', 'constructor-AAAA', 0],
  ])('of integrity: %s', (_, text, count) => {
    expect(hashesOfIntegrity(text)).toHaveLength(count);
  });

  it('become hexadecimal', () => {
    expect(hashesOfIntegrity(`sha512-${sha512.toString('base64')}`)).toEqual([
      { algorithm: 'SHA-512', hex: '01'.repeat(64) },
    ]);
    expect(hashesOfDigests([`sha256:${'AB'.repeat(32)}`, 'sha256:zz', 1])).toEqual([
      { algorithm: 'SHA-256', hex: 'ab'.repeat(32) },
    ]);
    expect(hashesOfFragment(`https://x/a.tgz#${'cd'.repeat(20)}`)).toEqual([
      { algorithm: 'SHA-1', hex: 'cd'.repeat(20) },
    ]);
  });
});

describe('names', () => {
  it.each<['npm' | 'pypi', string, string | undefined, string | undefined]>([
    ['npm', '@scope/name', '1.0.0', 'pkg:npm/%40scope/name@1.0.0'],
    ['npm', 'name', undefined, 'pkg:npm/name'],
    ['npm', '../x', '1.0.0', undefined],
    ['npm', 'a b', '1.0.0', undefined],
    ['npm', '@a/b/c', '1.0.0', undefined],
    ['pypi', 'My_Pkg.Name', '1.0', 'pkg:pypi/my-pkg-name@1.0'],
    ['pypi', '-x', '1.0', undefined],
    ['pypi', 'a'.repeat(300), '1.0', undefined],
  ])('%s %s %s', (ecosystem, name, version, purl) => {
    expect(makePurl(ecosystem, name, version)).toBe(purl);
    expect(isPackageName(ecosystem, name)).toBe(purl !== undefined);
  });

  it('of Python projects have one form', () => {
    expect(['A__b', 'a.-_b', 'AB'].map(normalisePythonName)).toEqual(['a-b', 'a-b', 'ab']);
  });
});

describe('requirements', () => {
  it.each<[string, object | undefined]>([
    ['name', { name: 'name', version: undefined, range: undefined }],
    ['name==1.0', { version: '1.0', range: '==1.0' }],
    ['name == 1.0', { version: '1.0' }],
    ['name==1.*', { version: undefined, range: '==1.*' }],
    ['name (>=1,<2)', { range: '>=1,<2' }],
    ['name[a,b]~=1.2;python_version<"3"', { range: '~=1.2', marker: 'python_version<"3"' }],
    [
      'name @ https://example.org/x.whl ; sys_platform=="linux"',
      { origin: 'https://example.org/x.whl', marker: 'sys_platform=="linux"' },
    ],
    ['name==1.0 --hash=sha256:ab --hash=sha256:cd', { version: '1.0', hashes: ['sha256:ab', 'sha256:cd'] }],
    ['./folder', undefined],
    ['name what', undefined],
    ['', undefined],
  ])('%s', (text, wanted) => {
    const requirement = parseRequirement(text);
    if (wanted === undefined) expect(requirement).toBeUndefined();
    else expect(requirement).toMatchObject(wanted);
  });
});
