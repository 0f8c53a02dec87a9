import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKnownError } from '../../../base/errors.ts';
import { readRunOptions, readRunWishes } from './wishes.ts';

const caller = { folder: '/tmp', environment: { API_KEY: 'k', EMPTY: '' } };
const read = (options: Readonly<Record<string, unknown>>, words: readonly string[] = ['node', 's.js']) =>
  readRunWishes(readRunOptions(options), words, caller);

describe('readRunWishes', () => {
  it('has defaults that refuse', async () => {
    expect(await read({})).toMatchObject({
      source: { is: 'command', argv: ['node', 's.js'] },
      mode: 'enforce',
      instructions: 'mark',
      isWatched: false,
      http: null,
      environment: {},
    });
  });

  it.each([
    ['api.example', { host: 'api.example', port: 443 }],
    ['API.example:80', { host: 'api.example', port: 80 }],
    ['.example:*', { host: '.example', port: '*' }],
    ['*:443', { host: '*', port: 443 }],
    ['10.0.0.1:5432', { host: '10.0.0.1', port: 5432 }],
    ['[2001:db8::1]:8443', { host: '2001:db8::1', port: 8443 }],
    ['2001:db8::1', { host: '2001:db8::1', port: 443 }],
  ])('--host %s', async (text, rule) => {
    expect((await read({ host: [text] })).flags.hosts).toEqual([rule]);
  });

  it.each(['', ':443', 'a b', 'http://api.example', 'api.example:0', 'api.example:70000', 'api.example:x'])(
    'refuses --host %j',
    async (text) => {
      await expect(read({ host: [text] })).rejects.toThrow(/--host/);
    },
  );

  it('takes variables by name and by value, and says which are not there', async () => {
    const { environment, unset, flags } = await read({ env: ['API_KEY', 'A=1=2', 'NOT_SET', 'EMPTY'] });
    expect({ ...environment }).toEqual({ API_KEY: 'k', A: '1=2', EMPTY: '' });
    expect(unset).toEqual(['NOT_SET']);
    expect(flags.variables).toEqual(['API_KEY', 'A', 'EMPTY']);
  });

  it.each([
    ['memoryBytes=536870912', { memoryBytes: 536_870_912 }],
    ['cpuCores=0.5', { cpuCores: 0.5 }],
  ])('--limit %s', async (pair, limits) => {
    expect((await read({ limit: [pair] })).flags.limits).toEqual(limits);
  });

  it.each([
    ['3000', undefined, { host: '127.0.0.1', port: 3000, innerPort: 3000 }],
    ['0.0.0.0:80', '8080', { host: '0.0.0.0', port: 80, innerPort: 8080 }],
    ['[::1]:0', '8080', { host: '::1', port: 0, innerPort: 8080 }],
  ])('--http %s --inner-port %s', async (http, innerPort, expected) => {
    expect((await read({ http, innerPort })).http).toEqual(expected);
  });

  it('watches when it learns', async () => {
    expect((await read({ mode: 'learn', learnTo: 'p.json' })).learnTo).toBe('/tmp/p.json');
    expect((await read({ mode: 'learn' })).isWatched).toBe(true);
  });

  it.each([
    ['no command', {}, [], /command of the server is missing/],
    ['a config and a command', { config: 'mcp.json' }, ['node'], /does not go with it/],
    ['a config and a handle', { config: 'a', registered: 'b' }, [], /do not go together/],
    ['a file without learning', { learnTo: 'x' }, ['node'], /goes with --mode learn/],
    ['an unknown mode', { mode: 'enforse' }, ['node'], /expected enforce, audit, learn/],
    ['a name that steers', { name: '\x1b[2J' }, ['node'], /--name/],
    ['a limit that is none', { limit: ['memory=1'] }, ['node'], /--limit/],
    ['a limit that is too small', { limit: ['memoryBytes=1'] }, ['node'], /--limit/],
    ['a port that is none', { http: '99999' }, ['node'], /--http/],
    ['any port inside', { http: '0' }, ['node'], /--inner-port/],
    ['a variable that is none', { env: ['A-B=1'] }, ['node'], /--env/],
    ['the kernel', { read: ['/proc/self'] }, ['node'], /not shown to a box/],
    ['a path that is not there', { write: ['/nonexistent/x'] }, ['node'], /ENOENT/],
  ])('refuses %s', async (_, options, words, message) => {
    await expect(read(options, words)).rejects.toThrow(message);
  });

  it('answers whatever it is given with wishes or a known error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('host', 'limit', 'env', 'http', 'name'), fc.string(), async (key, text) => {
        const value = key === 'http' || key === 'name' ? text : [text];
        await read({ [key]: value }).catch((error: unknown) => {
          if (!isKnownError(error)) throw error;
        });
      }),
    );
  });
});
