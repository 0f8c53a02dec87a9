import { describe, expect, it } from 'vitest';
import { createAuthority } from '../certificates/authority.ts';
import { liesBelow } from './canonical-paths.ts';
import type { HttpBridgeOptions } from './contract.ts';
import { judgeRequest } from './judge-request.ts';
import { readHead } from './request-head.ts';

const options: HttpBridgeOptions = {
  authority: createAuthority(),
  judge: ({ method, paths }) => {
    if (!['GET', 'POST'].includes(method)) return `not ${method}`;
    return liesBelow(paths, '/v1') ? null : 'not this path';
  },
  pace: async () => undefined,
};
const way = { isTls: false, serverName: null, host: 'h', port: 80, address: '192.0.2.7' };

function judge(line: string, header: string | null, change: Partial<HttpBridgeOptions> = {}): string {
  try {
    const lines = [`${line} HTTP/1.1`, 'Host: h', ...(header === null ? [] : [header])];
    judgeRequest(readHead(lines, way, 1000), way, { ...options, ...change });
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('judgeRequest', () => {
  it.each<[string, string | null, string]>([
    ['GET http://h/v1/x', null, 'allowed'],
    ['POST /v1/x?method=DELETE', null, 'allowed'],
    ['POST /v1/x?_method=get', null, 'allowed'],
    // Where a host ends at a backslash, these are below /admin.
    ['GET http://h\\admin/v1/x', null, 'a malformed Host'],
    ['GET http://h\\@other/v1/x', null, 'a malformed Host'],
    ['GET /v1/x', 'X-Original-URL: http://h\\admin/v1/x', 'refused: not this path'],
    ['GET /v1/x', 'X-Original-URL: /admin', 'refused: not this path'],
    ['GET /v1/x', 'X_Original_URL: /admin', 'refused: not this path'],
    ['GET /v1/x', 'X.Original.URL: /admin', 'refused: not this path'],
    ['GET /v1/.%c2%ad./admin', null, 'refused: not this path'],
    ['GET /v1/.%e2%80%8b./admin', null, 'refused: not this path'],
    ['POST /v1/x', 'X-HTTP-Method-Override: delete', 'refused: not DELETE'],
    ['POST /v1/x', 'X.HTTP.Method~Override: DELETE', 'refused: not DELETE'],
    ['POST /v1/x', 'Content.Length: 5', 'another spelling of content-length'],
    ['POST /v1/x?_method=DELETE', null, 'refused: not DELETE'],
    ['POST /v1/x?_METHOD=DELETE', null, 'refused: not DELETE'],
    ['POST /v1/x?.method=DELETE', null, 'refused: not DELETE'],
    ['POST /v1/x?+[method=DELETE', null, 'refused: not DELETE'],
    ['POST /v1/x?a=1;_method=DELETE', null, 'refused: not DELETE'],
  ])('%s with %s: %s', (line, header, outcome) => {
    expect(judge(line, header)).toBe(outcome);
  });

  it.each([
    ['TRACE /', null, 'TRACE'],
    ['TRACK /', null, 'TRACK'],
    ['POST /', 'X-HTTP-Method: TRACE', 'TRACE'],
    ['POST /?_method=track', null, 'TRACK'],
  ])('has nothing echoed that holds a credential: %s with %s', (line, header, method) => {
    const inject = { header: 'Authorization', value: 'secret' };
    expect(judge(line, header, { judge: () => null, inject })).toBe(`refused: ${method} with a credential`);
    expect(judge(line, header, { judge: () => null })).toBe('allowed');
  });
});
