import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPaths, liesBelow, noPath } from './canonical-paths.ts';

const runs = Number(process.env.HOTCELL_FUZZ_RUNS ?? 300);

describe('canonicalPaths', () => {
  it.each([
    ['/', ['/']],
    ['/api/users', ['/api/users']],
    ['/api/users?next=/../admin', ['/api/users']],
    ['http://host:80/api/users?x', ['/api/users']],
    ['http://host', ['/']],
    ['http://host?x', ['/']],
    ['/a%20b', ['/a%20b', '/a b']],
    ['/a%41', ['/a%41', '/aA']],
    ['/a/%zz', ['/a/%zz']],
    ['*', [noPath]],
    ['', [noPath]],
    ['admin', [noPath]],
  ])('%j', (target, readings) => {
    expect(canonicalPaths(target)).toEqual(readings);
  });

  it.each([
    '/api/../admin',
    '/api/%2e%2e/admin',
    '/api/.%2E/admin',
    '/api/%252e%252e/admin',
    '/api/%25252e%25252e/admin',
    '/api/..%2fadmin',
    '/api/..%252fadmin',
    '/api%2f..%2fadmin',
    '/api/..\\admin',
    '/api/..%5cadmin',
    '/api/..%255cadmin',
    '/api\\..\\admin',
    '/api/..;/admin',
    '/api/..;x=y/admin',
    '/api/..%3b/admin',
    '/api/%2e%2e;/admin',
    '/api//../admin',
    '/api/.//../admin',
    '/api/x/../..//admin',
    '//api/admin',
    '//api@host/admin',
    '/admin;/../api/x',
    '/admin%3b/../api/x',
    '/admin%3f/../api/x',
    '/admin%23/../api/x',
    '/admin%00/../api/x',
    '/admin/%3f/../../api/x',
    '/api/%c0%ae%c0%ae/admin',
    '/api/..%c0%afadmin',
    '/api/..%c1%9cadmin',
    '/api/%e0%80%ae%e0%80%ae/admin',
    '/api/%f0%80%80%ae%f0%80%80%ae/admin',
    '/api/%u002e%u002e/admin',
    '/api/..%u2215admin',
    '/api/%uff0e%uff0e/admin',
    '/api/%ef%bc%8e%ef%bc%8e/admin',
    '/api/..%ef%bc%8fadmin',
    '/api/%e2%80%a5/admin',
    '/api/..%20/admin',
    '/api/..%09/admin',
    '/api/.%09./admin',
    '/api/.%0a./admin',
    '/api/../../../../admin',
    '/api/x/..%2f..%2f../api/../admin',
    'http://host/api/../admin',
  ])('finds the way out in %j', (target) => {
    const paths = canonicalPaths(target);
    expect(paths.some((path) => path === '/admin' || path.startsWith('/admin/'))).toBe(true);
    expect(liesBelow(paths, '/api')).toBe(false);
  });

  it('says that it gave up', () => {
    const paths = canonicalPaths(`/api/${'%2525252525252f..;%5c\\//x%c0%ae'.repeat(40)}`);
    expect(paths.at(-1)).toBe(noPath);
    expect(liesBelow(paths, '/')).toBe(false);
  });
});

describe('liesBelow', () => {
  it.each([
    ['/api', '/api', true],
    ['/api/', '/api', true],
    ['/api/users', '/api', true],
    ['/api?x=../..', '/api', true],
    ['/api/a%2fb%20c/..%2f', '/api', true],
    ['/api/a;b=c', '/api', true],
    ['/api/v1/../v1/x', '/api/v1', true],
    ['/apis', '/api', false],
    ['/api', '/api/', false],
    ['/API/users', '/api', false],
    ['/api/v1/../v2/x', '/api/v1', false],
    ['/x/../api', '/api', false],
    ['/a%20b/c', '/a%20b', true],
    ['/a%20b/c', '/a%20', false],
    ['/anything//../at/all', '/', true],
    ['*', '/', false],
    ['/caf%c3%a9/x', '/caf%C3%A9', true],
    ['/api/%', '/api', true],
    ['/v1;x/y', '/v1;x', true],
    ['/v1/y', '/v1;x', false],
    ['/a%2fb/c', '/a%2Fb', true],
    ['/a/b/c', '/a%2Fb', false],
  ])('%j below %j: %j', (target, prefix, isBelow) => {
    expect(liesBelow(canonicalPaths(target), prefix)).toBe(isBelow);
  });

  it('is false for no readings at all, and for a prefix that is none', () => {
    expect(liesBelow([], '/')).toBe(false);
    expect(liesBelow(['/x'], 'x')).toBe(false);
  });
});

describe('any target', () => {
  const piece = fc.constantFrom(
    ...[
      '/',
      '..',
      '.',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      ';',
      '%25',
      '2e',
      '2f',
      '//',
      '%00',
      '?',
      '%3f',
      'api',
      'x',
      '%c0%ae',
      '%u002e',
      '\u00ff',
      ' ',
    ],
  );

  it('has bounded readings that hold what a URL parser makes of it', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const target = `/${pieces.join('')}`;
        const paths = canonicalPaths(target);
        expect(paths.length).toBeLessThanOrEqual(129);
        for (const path of paths) expect(path === noPath || path.startsWith('/')).toBe(true);
        if (paths.includes(noPath)) return;
        if (/[\u00ff ]/.test(target)) return;
        // It decodes dots only where a segment is nothing else.
        const plain = paths.flatMap((path) => [path, path.replaceAll(/%2e/gi, '.')]);
        expect(plain).toContain(new URL(`http://host${target}`).pathname.replaceAll(/%2e/gi, '.'));
      }),
      { numRuns: runs },
    );
  });

  it('never throws, and more readings never make it lie below more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
        const paths = canonicalPaths(`/${text}`);
        if (liesBelow(paths, '/api')) for (const path of paths) expect(path).toMatch(/^\/api/);
      }),
      { numRuns: runs },
    );
  });
});
