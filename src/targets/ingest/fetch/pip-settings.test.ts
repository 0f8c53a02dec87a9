import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNetrc } from './netrc.ts';
import { indexInHelp } from './pip-default-index.ts';
import { parsePipConfig, readPipSettings } from './pip-settings.ts';

describe('pip.conf', () => {
  it.each<[string, string, Record<string, string>]>([
    ['nothing', '', {}],
    ['one value', '[global]\nindex-url = https://h/simple\n', { 'index-url': 'https://h/simple' }],
    ['a colon', '[global]\ntimeout: 60', { timeout: '60' }],
    ['a value that holds a colon', '[global]\ncert = /a:b', { cert: '/a:b' }],
    ['several lines', '[global]\nfind-links =\n    /a\n    /b\n', { 'find-links': '/a\n/b' }],
    ['comments', '# x\n[global]\n; y\nproxy = p\n  # z\n', { proxy: 'p' }],
    ['underscores and case', '[global]\nIndex_URL = x', { 'index-url': 'x' }],
    ['the nearer section counts', '[install]\ncert = b\n[global]\ncert = a\n', { cert: 'b' }],
    ['another section does not', '[freeze]\ncert = b\n', {}],
    ['windows line ends', '[global]\r\ncert = a\r\n', { cert: 'a' }],
    ['a value before any section', 'cert = a\n', {}],
  ])('%s', (_, text, expected) => {
    expect(Object.fromEntries(parsePipConfig(text))).toEqual(expected);
  });

  it('whatever the text is', () => {
    const pieces = fc.constantFrom('[global]', '\n', '=', ':', ' ', 'key', '#', '\t', ']', '[');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (text) => {
          expect(parsePipConfig(text)).toBeInstanceOf(Map);
        },
      ),
    );
  });
});

describe('the settings of pip', () => {
  it('are the files from the most general to the nearest, then the variables', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hotcell-pip-'));
    const own = join(folder, 'own.conf');
    writeFileSync(own, '[global]\nindex-url = https://file/\nextra-index-url = https://a/ https://b/\nno-index = no\n');
    const read = (environment: Record<string, string>) =>
      readPipSettings({ cwd: folder, home: folder, cacheFolder: folder, isOffline: false, environment });
    expect(read({ PIP_CONFIG_FILE: own })).toMatchObject({
      indexUrl: 'https://file/',
      extraIndexUrls: ['https://a/', 'https://b/'],
      hasNoIndex: false,
    });
    expect(read({ PIP_CONFIG_FILE: own, PIP_INDEX_URL: 'https://env/', PIP_NO_INDEX: '1' })).toMatchObject({
      indexUrl: 'https://env/',
      hasNoIndex: true,
    });
    expect(read({ PIP_CONFIG_FILE: '/dev/null' })).toEqual({
      extraIndexUrls: [],
      findLinks: [],
      hasNoIndex: false,
      trustedHosts: [],
    });
    rmSync(folder, { recursive: true });
  });

  it('or what pip says of itself', () => {
    const help =
      '  -i, --index-url <url>       Base URL of the Index (default\n                              https://index.example/simple). This\n  --extra-index-url <url>  x';
    expect(indexInHelp(help)).toBe('https://index.example/simple');
    expect(indexInHelp('nothing')).toBeUndefined();
  });
});

describe('netrc', () => {
  const text =
    '# x\nmachine a.example login u password p\nmachine b.example\n  login v\n  account x\n  password q\ndefault login d password e';
  it.each([
    ['a.example', 'u', 'p'],
    ['b.example', 'v', 'q'],
    ['c.example', 'd', 'e'],
  ])('%s', (host, login, password) => {
    expect(findNetrc(text, host)).toEqual({ login, password });
  });

  it('has nothing for a host that is not in it', () => {
    expect(findNetrc('machine a login u password p', 'b')).toBeUndefined();
    expect(findNetrc('', 'b')).toBeUndefined();
  });
});
