import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asObject, asString } from '../../src/base/json-shape.ts';
import { backends } from '../../src/engine/box/index.ts';
import type { ConfiguredServer } from '../../src/targets/ingest/client-config/contract.ts';
import { readClientConfig } from '../../src/targets/ingest/client-config/read.ts';
import { cleanEnvironment, hotcell, program, repository } from './hotcell.ts';

/** A config as a client has it: its servers work before, behind the guard, and after. */

const folder = mkdtempSync('/tmp/hotcell-protect-');
const [home, runtimeFolder] = [join(folder, 'home'), join(folder, 'runtime')];
const environment = cleanEnvironment({ HOME: folder, HOTCELL_HOME: home, HOTCELL_RUNTIME_FOLDER: runtimeFolder });
const config = join(folder, '.cursor/mcp.json');
const [shown, secret] = [join(folder, 'shown'), join(folder, 'secret')];
const server = join(repository, 'test/samples/guard/named-server.js');
const text = `\ufeff{
  // what I use
  "mcpServers": {
    "named": {
      "command": ${JSON.stringify(process.execPath)},
      "args": [${JSON.stringify(server)}, "named", /* a folder */ ${JSON.stringify(shown)},],
      "env": { "GIVEN": "a value" },
    },
    "far": { "url": "https://example.com/mcp" },
  },
}`.replaceAll('\n', '\r\n');

/** Starts what the file says, as a client does. */
async function start({ command = '', args, environment: own }: ConfiguredServer) {
  const client = new Client({ name: 'test', version: '1' });
  const values = Object.fromEntries([...own].map(([name, value]) => [name, value.reveal()]));
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args],
      env: { ...environment, OTHER: 'mine', ...values },
      stderr: 'ignore',
    }),
  );
  const call = async (name: string, input = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    return asString(asObject(Array.isArray(content) ? content[0] : undefined).text) ?? '';
  };
  return { call, [Symbol.asyncDispose]: () => client.close() };
}

async function configured(): Promise<ConfiguredServer> {
  const { servers } = await readClientConfig(config);
  const [first] = servers;
  if (first === undefined) throw new Error('the config has no server');
  return first;
}

beforeAll(async () => {
  await chmod(folder, 0o711);
  mkdirSync(join(folder, '.cursor'));
  mkdirSync(shown);
  writeFileSync(join(shown, 'note'), 'a note');
  writeFileSync(secret, 'a secret');
  writeFileSync(config, text);
});
beforeEach(async (context) => {
  const probed = await backends.find(({ id }) => id === 'bwrap')?.probe({ runtimeFolder });
  if (probed?.is !== 'yes') context.skip('no bwrap here');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('hotcell protect', () => {
  it('puts the servers of a client behind the guard, where they work, and takes them out again', async () => {
    const run = (...words: readonly string[]) => hotcell(['protect', ...words], { environment, cwd: folder });
    {
      await using before = await start(await configured());
      expect(await before.call('read', { path: secret })).toBe('a secret');
    }
    expect(run('--dry-run')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 file would change') });
    expect(run()).toMatchObject({ code: 2 });
    expect(readFileSync(config, 'utf8')).toBe(text);
    const done = run('--client', 'cursor', '--backend', 'bwrap', '--yes');
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('far is left as it is') });
    expect(done.stdout).not.toContain('a value');
    const wrapped = await configured();
    expect([wrapped.command, ...wrapped.args.slice(0, 5)]).toEqual([
      program,
      'run',
      '--name',
      'named',
      '--backend',
      'bwrap',
    ]);
    {
      await using behind = await start(wrapped);
      expect(JSON.parse(await behind.call('who'))).toEqual({
        name: 'named',
        args: [shown],
        given: 'a value',
        other: null,
      });
      expect(await behind.call('read', { path: join(shown, 'note') })).toBe('a note');
      expect(await behind.call('read', { path: secret })).toBe('ENOENT');
    }
    expect(run('--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to do') });
    expect(run('--undo', '--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(text);
    expect(existsSync(join(home, 'ledger'))).toBe(true);
    const log = hotcell(['audit', 'log', '--json'], { environment });
    expect(log.stdout).toMatch(/config\.protect[\s\S]*server\.start[\s\S]*config\.undo/);
  });
});
