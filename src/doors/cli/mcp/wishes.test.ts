import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { type McpOptions, pickToolsets, readMcpOptions } from './wishes.ts';

const none: McpOptions = {
  httpAllowHost: [],
  insecureNoAuth: false,
  readOnly: false,
  allowTool: [],
  denyTool: [],
};
const http = { transport: 'http' };

describe('readMcpOptions', () => {
  it('serves the toolset analyze over stdio when nothing is said', () => {
    expect(readMcpOptions(none, { MCP_TOKEN: 'unused' })).toEqual({
      toolsetIds: ['analyze'],
      http: null,
      isReadOnly: false,
      allow: [],
      deny: [],
      printFor: null,
    });
  });

  it.each<[string, Partial<McpOptions>, Record<string, string>, string | null]>([
    ['the flag', { httpToken: 'flag' }, { MCP_TOKEN: 'variable' }, 'flag'],
    ['the variable', {}, { MCP_TOKEN: 'variable' }, 'variable'],
    ['nowhere, with an empty variable', {}, { MCP_TOKEN: '' }, null],
    ['nowhere', {}, {}, null],
  ])('takes the token from %s', (_, options, environment, token) => {
    expect(readMcpOptions({ ...none, ...http, ...options }, environment).http?.token).toBe(token);
  });

  it('reads toolsets and ports', () => {
    const wishes = readMcpOptions({ ...none, ...http, tools: 'analyze, lab,analyze', httpPort: '0' }, {});
    expect(wishes.toolsetIds).toEqual(['analyze', 'lab']);
    expect(wishes.http).toMatchObject({ host: '127.0.0.1', port: 0, token: null, tlsFiles: null });
  });

  it.each<[string, Partial<McpOptions>, Record<string, string>, RegExp]>([
    ['another transport', { transport: 'sse' }, {}, /stdio, http/],
    ['an empty list', { tools: '' }, {}, /--tools/],
    ['a port with a sign', { ...http, httpPort: '-1' }, {}, /--http-port/],
    ['a port in words', { ...http, httpPort: '3e3' }, {}, /--http-port/],
    ['an empty token', { ...http, httpToken: '' }, {}, /--http-token/],
    ['a token with a line break', { ...http, httpToken: 'a\nb' }, {}, /--http-token/],
    ['a variable with a blank', http, { MCP_TOKEN: 'a b' }, /MCP_TOKEN/],
    ['a token for everybody', { ...http, httpToken: 'a', insecureNoAuth: true }, {}, /contradict/],
    ['a token for a pipe', { httpToken: 'secret' }, {}, /--http-token is for HTTP/],
    ['a key alone', { ...http, tlsKey: 'k' }, {}, /go together/],
    ['another client', { printConfig: 'vscod' }, {}, /vscode/],
  ])('refuses %s', (_, options, environment, message) => {
    const read = (): unknown => readMcpOptions({ ...none, ...options }, environment);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/secret/);
  });

  it('says which toolsets this version has', () => {
    expect(() => pickToolsets(['lab'], {})).toThrow(/does not have it yet/);
  });
});
