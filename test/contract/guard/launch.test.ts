import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isKnownError } from '../../../src/base/errors.ts';
import { createBox } from '../../../src/engine/box/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import {
  type Prepared,
  type PrepareOptions,
  prepareServer,
  verifyServer,
} from '../../../src/instruments/guard/launch/index.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import { Arena } from '../box/arena.ts';

/** Launch commands become servers that start in a box; install scripts run in one, and never here. */

const folder = mkdtempSync('/tmp/hotcell-launch-');
const arena = new Arena();
const path = '/usr/local/bin:/usr/bin:/bin';

function optionsFor(backend: 'bwrap'): PrepareOptions {
  const environment = { ...process.env, PATH: path };
  return {
    home: join(folder, 'hotcell'),
    fetch: { cwd: folder, home: homedir(), environment, cacheFolder: join(folder, 'cache'), isOffline: false },
    box: { backend, ...arena.options },
  };
}

/** Starts it as a guard would, with nothing but what it needs, and asks for its tools. */
async function toolsOf({ argv, cwd, files }: Prepared): Promise<readonly string[]> {
  const policy = tierPolicy('LOW');
  const box = await createBox(
    { ...policy, files: [...policy.files, ...files] },
    { backend: 'bwrap', ...arena.options },
  );
  try {
    const child = await box.spawn(argv, { cwd });
    child.stderr.resume();
    const identity = { name: 'hotcell-test', version: '1.0.0' };
    const { stdin, stdout } = child;
    const conversation = openStdioConversation({ stdin, stdout }, { identity });
    await conversation.handshake();
    const { tools } = await conversation.list();
    await conversation.close();
    return tools.map(({ name }) => name);
  } finally {
    await box.close();
  }
}

/** Says where it ran, makes a part of the server, and tries to leave something outside. */
const installScript = `
const { mkdirSync, writeFileSync, symlinkSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { homedir } = require('node:os');
mkdirSync('built');
writeFileSync('built/tools.json', JSON.stringify([{ name: 'made-at-install', inputSchema: { type: 'object' } }]));
writeFileSync('built/where.json', JSON.stringify({ home: homedir(), cwd: process.cwd(), pid: process.pid }));
writeFileSync('built/run.sh', '#!/bin/sh', { mode: 0o4777 });
symlinkSync('tools.json', 'built/inner');
symlinkSync('/etc/passwd', 'built/outer');
rmSync('removed.txt');
for (const place of [homedir(), '/tmp', '/var/tmp', ${JSON.stringify(folder)}]) {
  try { writeFileSync(join(place, '.hotcell-launch-marker'), 'sample-marker'); } catch {}
}
process.exitCode = 3;
`;

const server = `#!/usr/bin/env node
const tools = JSON.parse(require('node:fs').readFileSync(__dirname + '/built/inner', 'utf8'));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const known = { initialize: hello, 'tools/list': { tools } }[method];
  const answer = known === undefined ? { error: { code: -32601, message: 'no such method' } } : { result: known };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

afterAll(async () => {
  await arena.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a launch command', () => {
  it('has its install script run in a box, and what that made in the server', async (test) => {
    await arena.need('bwrap', test);
    const own = join(folder, 'package');
    mkdirSync(own);
    const manifest = {
      name: 'scripted',
      version: '1.0.0',
      bin: 'server.js',
      scripts: { postinstall: 'node install.js' },
    };
    writeFileSync(join(own, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(own, 'install.js'), installScript);
    writeFileSync(join(own, 'server.js'), server);
    writeFileSync(join(own, 'removed.txt'), 'x');
    const prepared = await prepareServer(['npx', './package'], optionsFor('bwrap'));
    const root = join(prepared.folder ?? '', 'app');
    const where = JSON.parse(readFileSync(join(root, 'built/where.json'), 'utf8'));
    expect(where.home).not.toBe(homedir());
    expect(where.cwd).toBe(`${where.home}/app`);
    for (const place of [homedir(), '/tmp', '/var/tmp', folder, own]) {
      expect(existsSync(join(place, '.hotcell-launch-marker'))).toBe(false);
    }
    expect(existsSync(join(own, 'built'))).toBe(false);
    expect(existsSync(join(own, 'removed.txt'))).toBe(true);
    expect(existsSync(join(root, 'removed.txt'))).toBe(false);
    expect(existsSync(join(root, 'built/outer'))).toBe(false);
    expect(prepared.problems).toEqual([
      expect.stringMatching(/scripted postinstall ended with 3/),
      expect.stringMatching(/outside of the package.*\.hotcell-launch-marker/),
      expect.stringMatching(/leads out.*built\/outer/),
    ]);
    expect(await verifyServer(prepared.folder ?? '')).toMatchObject({ isIntact: true, changed: [], added: [] });
    expect(await toolsOf(prepared)).toEqual(['made-at-install']);
    const again = await prepareServer(['npx', './package'], optionsFor('bwrap'));
    expect(again).toMatchObject({ isFresh: false, argv: prepared.argv, integrity: prepared.integrity });
    // Another node, and the scripts are known to have run with the first one.
    const options = optionsFor('bwrap');
    mkdirSync(join(folder, 'other/bin'), { recursive: true });
    writeFileSync(join(folder, 'other/bin/node'), '\x7fELF', { mode: 0o755 });
    const environment = { PATH: join(folder, 'other/bin') };
    const other = await prepareServer(['npx', './package'], { ...options, fetch: { ...options.fetch, environment } });
    expect(other.problems).toContainEqual(expect.stringMatching(/was built with .* and is started with .*other/));
  });

  it('of a published server starts from what was fetched, without a network', async (test) => {
    await arena.need('bwrap', test);
    const words = ['npx', '-y', '@modelcontextprotocol/server-memory@0.6.2'];
    const prepared = await prepareServer(words, optionsFor('bwrap')).catch((error: Error) => {
      if (isKnownError(error)) test.skip(`no registry answers: ${error.message}`);
      throw error;
    });
    expect(prepared).toMatchObject({ version: '0.6.2', isFresh: true, problems: [] });
    const record = JSON.parse(readFileSync(join(prepared.folder ?? '', 'record.json'), 'utf8'));
    expect(record.archives.length).toBeGreaterThan(5);
    for (const { integrity } of record.archives) expect(integrity).toMatch(/^sha(512|1)-/);
    const options = optionsFor('bwrap');
    const offline = { ...options, fetch: { ...options.fetch, isOffline: true, cacheFolder: join(folder, 'empty') } };
    const again = await prepareServer([...words, 'stdio'], offline);
    expect(again).toMatchObject({ isFresh: false, integrity: prepared.integrity });
    expect(await toolsOf(again)).toContain('create_entities');
  });
});
