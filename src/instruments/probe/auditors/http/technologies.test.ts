import { describe, expect, it } from 'vitest';
import { findTechnologies, signatures } from './technologies.ts';

const seen = (headers: Record<string, string>, body = ''): readonly string[] =>
  findTechnologies({ headers: Object.entries(headers), body: Buffer.from(body) }).map(({ name, version }) =>
    version === null ? name : `${name} ${version}`,
  );

describe('technologies', () => {
  it.each([
    [{ server: 'nginx/1.18.0 (Ubuntu)' }, '', ['nginx 1.18.0']],
    [{ server: 'Apache/2.4.41 (Unix) OpenSSL/1.1.1f PHP/7.4' }, '', ['Apache 2.4.41', 'PHP 7.4', 'OpenSSL 1.1.1f']],
    [
      { server: 'Werkzeug/2.0.1 Python/3.8.10', 'set-cookie': 'session=x; HttpOnly' },
      '',
      ['Werkzeug 2.0.1', 'Python 3.8.10', 'Flask session'],
    ],
    [{ server: 'uvicorn' }, '{"detail":"Not Found"}', ['uvicorn', 'FastAPI']],
    [{ 'x-powered-by': 'Express', 'set-cookie': 'connect.sid=s%3A; Path=/' }, '', ['Express', 'Express session']],
    [{ server: 'cloudflare', 'cf-ray': '1-ABC' }, '', ['Cloudflare']],
    [{ via: '1.1 kong/3.4.0' }, '', ['Kong 3.4.0']],
    [{}, '<div id="swagger-ui"></div>', ['Swagger UI']],
    [{}, ' {"openapi": "3.1.0"}', ['OpenAPI document 3.1.0']],
    [{ server: 'my-apache-like' }, 'nginx is good', []],
    [{ 'set-cookie': 'session=x' }, '', []],
  ])('%j %s', (headers, body, expected) => {
    expect(seen(headers as Record<string, string>, body)).toEqual(expected);
  });

  it('looks at long garbage quickly enough to end', () => {
    const body = ['<title>', '"timestamp":"', '{"openapi"   ', '# HELP aaaaaaaa']
      .map((part) => part.repeat(20_000))
      .join('');
    expect(seen({}, body)).toEqual([]);
  });

  it('names a place in every signature', () => {
    expect(signatures.filter(({ header, cookie, body }) => (header ?? cookie ?? body) === undefined)).toEqual([]);
    expect(signatures.length).toBeGreaterThan(60);
  });
});
