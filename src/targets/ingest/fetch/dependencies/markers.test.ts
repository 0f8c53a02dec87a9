import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateMarker, markerEnvironment } from './markers.ts';
import { readPythonMetadata, readRequirement } from './python-metadata.ts';

const linux = markerEnvironment('3.11.4', 'linux', 'x64');

describe('a marker', () => {
  it.each<[string, boolean | undefined]>([
    ['python_version >= "3.8"', true],
    ['python_version < "3.8"', false],
    ['python_version >= "3.9"', true],
    ["python_version == '3.11'", true],
    ['python_version in "3.10 3.11"', true],
    ['python_full_version >= "3.11.3"', true],
    ['"3.8" <= python_version', true],
    ['sys_platform == "linux"', true],
    ['sys_platform != "win32" and os_name == "posix"', true],
    ['sys_platform == "win32" or platform_system == "Linux"', true],
    ['(sys_platform == "win32" or os_name == "posix") and platform_machine == "arm64"', false],
    ['platform_machine not in "arm64 aarch64"', true],
    ['extra == "cli"', false],
    ['sys.platform == "linux"', true],
    ['nonsense', undefined],
    ['unknown_name == "x"', undefined],
    ['python_version >=', undefined],
    ['(python_version >= "3"', undefined],
    ['python_version >= "3" extra', undefined],
    ['', undefined],
  ])('%s: %s', (marker, expected) => {
    expect(evaluateMarker(marker, linux)).toBe(expected);
  });

  it('is true, false or unreadable, whatever it is', () => {
    const pieces = fc.constantFrom(
      'python_version',
      '"3"',
      "'x'",
      '>=',
      '==',
      'and',
      'or',
      'not',
      'in',
      '(',
      ')',
      ' ',
      'extra',
      '~=',
      '<',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((parts) => parts.join(' ')),
        ),
        (marker) => {
          expect([true, false, undefined]).toContain(evaluateMarker(marker, linux));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('a requirement', () => {
  it.each<[string, string[], string]>([
    ['a>=1', [], 'a>=1'],
    ['a (>=1,<2)', [], 'a>=1,<2'],
    ['A_b[x]>=1; python_version >= "3"', [], 'a-b[x]>=1'],
    ['a; python_version < "3"', [], 'none'],
    ['a; extra == "x"', [], 'none'],
    ['a; extra == "x"', ['x'], 'a'],
    ['a; this is nonsense', [], 'a'],
    ['a @ https://h/a.whl', [], 'not from an index'],
    ['???', [], 'not a requirement'],
  ])('%s with %j', (text, extras, expected) => {
    const found = readRequirement(text, extras, linux);
    const target = found?.target;
    const shown =
      target === undefined
        ? (found?.why ?? 'none')
        : `${target.name}${target.extras.length > 0 ? `[${target.extras}]` : ''}${target.specifier}`;
    expect(shown).toBe(expected);
  });
});

describe('metadata of a Python package', () => {
  it('is read from its headers alone', () => {
    const text =
      'Metadata-Version: 2.1\r\nName: p\r\nVersion: 1\r\nLicense: MIT\r\nRequires-Dist: a\r\nRequires-Dist: b;\r\n  extra == "x"\r\nDynamic: Requires-Dist\r\n\r\nRequires-Dist: not-this\r\n';
    expect(readPythonMetadata(text)).toEqual({
      name: 'p',
      version: '1',
      licence: 'MIT',
      requires: ['a', 'b; extra == "x"'],
      dynamic: ['requires-dist'],
    });
  });
});
