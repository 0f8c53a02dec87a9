import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asObject, asString } from '../../src/base/json-shape.ts';
import { backends } from '../../src/engine/box/index.ts';
import { cleanEnvironment, hotcell, program, repository } from './hotcell.ts';
import { findBoxes } from './traces.ts';

/** `hotcell run --config`: several servers, each in its own box, as one server for a real client. */

const folder = mkdtempSync('/tmp/hotcell-gateway-');
const runtimeFolder = join(folder, 'runtime');
const environment = cleanEnvironment({ HOTCELL_HOME: join(folder, 'home'), HOTCELL_RUNTIME_FOLDER: runtimeFolder });
const config = join(folder, 'mcp.json');
const server = join(repository, 'test/samples/guard/named-server.js');
const entry = (...args: readonly string[]) => ({ command: process.execPath, args: [server, ...args] });

beforeAll(async () => {
  await chmod(folder, 0o711);
  const mcpServers = {
    'first one': { ...entry('first', 'x'), env: { GIVEN: 'of the first' } },
    second: entry('second'),
    missing: { command: '/nowhere/to/be/found' },
    far: { url: 'https://example.com/mcp' },
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
});
beforeEach(async (context) => {
  const probed = await backends.find(({ id }) => id === 'bwrap')?.probe({ runtimeFolder });
  if (probed?.is !== 'yes') context.skip('no bwrap here');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('hotcell run --config', () => {
  it.each(['legacy', 'auto'] as const)('is one server for a client in mode %s', async (mode) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    let changes = 0;
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    const args = ['run', '--backend', 'bwrap', '--config', config];
    await using _closed = { [Symbol.asyncDispose]: () => client.close() };
    await client.connect(new StdioClientTransport({ command: program, args, env: environment, stderr: 'ignore' }));
    const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name);
    const call = async (name: string): Promise<unknown> => {
      const { content } = await client.callTool({ name, arguments: {} });
      return JSON.parse(asString(asObject(Array.isArray(content) ? content[0] : undefined).text) ?? 'null');
    };
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    expect(client.getInstructions()).toContain('Server "missing" is not there');
    expect(await names()).toEqual([
      'first_one__who',
      'first_one__read',
      'first_one__stop',
      'second__who',
      'second__read',
      'second__stop',
    ]);
    expect(await call('first_one__who')).toEqual({ name: 'first', args: ['x'], given: 'of the first', other: null });
    expect(await call('second__who')).toEqual({ name: 'second', args: [], given: null, other: null });
    // In the other mode the client starts everything a second time, to find out what it is.
    if (mode === 'legacy') expect(findBoxes(runtimeFolder)).toHaveLength(2);
    // One ends in the middle of a call: it is named, and the other goes on.
    await expect(call('first_one__stop')).rejects.toThrow('server "first one"');
    expect(await call('second__who')).toMatchObject({ name: 'second' });
    expect(await names()).toEqual(['second__who', 'second__read', 'second__stop']);
    // A newer client hears of changes only when it has asked to.
    for (let round = 0; mode === 'legacy' && changes === 0 && round < 100; round += 1) await sleep(100);
    expect(changes > 0).toBe(mode === 'legacy');
    await client.close();
    for (let round = 0; findBoxes(runtimeFolder).length > 0 && round < 200; round += 1) await sleep(100);
    expect(findBoxes(runtimeFolder)).toEqual([]);
  });

  it('says which server is left out, and why', () => {
    const ran = hotcell(['run', '--backend', 'bwrap', '--config', config], { environment, input: '' });
    expect(ran).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('far: left out: it is reached by URL'),
    });
    const log = hotcell(['audit', 'log', '--json'], { environment });
    for (const action of ['gateway.open', 'gateway.lose', 'gateway.close']) expect(log.stdout).toContain(action);
  });
});
