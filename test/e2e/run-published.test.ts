import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { asObject } from '../../src/base/json-shape.ts';
import { backends } from '../../src/engine/box/index.ts';
import { until } from '../until.ts';
import { everythingCalls, filesystemCalls, oldFilesystemCalls, playwrightCalls } from './published/calls.ts';
import { ask, askAll, type Call, objections, openServer, writeFiles } from './published/client.ts';
import { findBoxes } from './traces.ts';

/** Servers that people use, with all of their tools, behind `hotcell run`: nothing that is honest is held up. */

const folder = mkdtempSync('/tmp/hotcell-published-');
chmodSync(folder, 0o711);
const runtimeFolder = join(folder, 'runtime');
const chromium = '/usr/bin/chromium';
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

beforeEach(async (context) => {
  const probed = await backends.find(({ id }) => id === 'bwrap')?.probe({ runtimeFolder });
  if (probed?.is !== 'yes') context.skip('no bwrap here');
});
afterAll(async () => {
  await until(() => findBoxes(runtimeFolder).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

const namesIn = (calls: readonly Call[], ...others: readonly string[]): readonly string[] =>
  [...new Set([...calls.map(([tool]) => tool), ...others])].sort();

const anything = z.record(z.string(), z.unknown());

// Most of the time they wait for packages.
describe.concurrent('a published server', () => {
  it('that has everything: tools, tasks, progress, resources, prompts, logging, requests to the client', async (context) => {
    const heard: string[] = [];
    const { client, stderr } = await openServer(
      {
        folder,
        flags: ['--name', 'everything'],
        command: ['npx', '-y', '@modelcontextprotocol/server-everything@2026.8.31'],
        capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
        prepare: (each) => {
          each.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///srv/root', name: 'root' }] }));
          each.setRequestHandler('sampling/createMessage', async () => ({
            role: 'assistant',
            model: 'none',
            content: { type: 'text', text: 'a sampled word' },
          }));
          each.setRequestHandler('elicitation/create', async () => ({
            action: 'accept',
            content: { name: 'Ada', check: true, interpretation: 'technical' },
          }));
          each.setNotificationHandler('notifications/message', () => void heard.push('log'));
          each.setNotificationHandler('notifications/resources/updated', () => void heard.push('updated'));
        },
      },
      context,
    );
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(namesIn(everythingCalls, 'simulate-research-query'));
    const before = (await client.listResources()).resources.length;
    await client.subscribeResource({ uri: 'demo://resource/dynamic/text/1' });
    await client.setLoggingLevel('debug');
    const [quick, slow] = [everythingCalls.slice(0, -1), everythingCalls.slice(-1)];
    expect(await askAll(client, quick)).toEqual([]);

    const steps: number[] = [];
    for (const [name, given] of slow) {
      await client.callTool(
        { name, arguments: { ...given } },
        { onprogress: ({ progress }) => void steps.push(progress) },
      );
    }
    // The client forgets the last one when the answer comes with it.
    expect(steps.slice(0, 3)).toEqual([1, 2, 3]);

    // A resource that came while the server was running is in the list, and as it was made.
    expect((await client.listResources()).resources).toHaveLength(before + 1);
    const { contents } = await client.readResource({ uri: 'demo://resource/session/a.gz' });
    expect(gunzipSync(Buffer.from(String(asObject(contents[0]).blob), 'base64')).toString()).toBe('hello');
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);

    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(2);
    const given = { city: 'Ulm', state: 'BW', department: 'Sales', name: 'Ada', resourceType: 'Text', resourceId: '1' };
    for (const { name } of prompts) {
      expect((await client.getPrompt({ name, arguments: given })).messages.length, name).toBeGreaterThan(0);
    }
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } });
    expect(completion.values).toEqual(['Engineering']);

    const params = { name: 'simulate-research-query', arguments: { topic: 'boxes', ambiguous: true } };
    const made = await client.request({ method: 'tools/call', params: { ...params, task: { ttl: 60_000 } } }, anything);
    const taskId = String(asObject(made.task).taskId);
    const done = await client.request({ method: 'tasks/result', params: { taskId } }, anything);
    expect(JSON.stringify(done)).toContain('Research Report: boxes (technical)');

    expect(await until(() => heard.includes('updated') && heard.includes('log'))).toBe(true);
    expect(stderr()).not.toMatch(/hotcell: everything: (refused|changed|noted)/);
    await client.close();
    expect(await objections(folder, 'everything')).toEqual([]);
  });

  it('for files, with a folder that is named as seen from here', async (context) => {
    const data = join(folder, 'files/data');
    writeFiles(join(folder, 'files'), {
      'data/a.txt': 'one\ntwo\n',
      'data/sub/b.md': '# b ünï\r\n\tIgnore the noise.',
      'data/dot.png': Buffer.from(dot, 'base64'),
    });
    const { client, stderr } = await openServer(
      {
        folder,
        flags: ['--name', 'files', '--write', './data'],
        command: ['npx', '-y', '@modelcontextprotocol/server-filesystem@2026.8.31', './data'],
        cwd: join(folder, 'files'),
      },
      context,
    );
    const calls = filesystemCalls(data);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(namesIn(calls));
    expect(await askAll(client, calls)).toEqual([]);
    expect(readFileSync(join(data, 'made/moved.txt'), 'utf8')).toBe('stale ✓\n');
    expect(await ask(client, 'read_file', { path: '/etc/passwd' })).toMatchObject({ isError: true });
    expect(stderr()).not.toMatch(/hotcell: .*will not find|hotcell: files: (refused|changed|noted)/);
    await client.close();
    expect(await objections(folder, 'files')).toEqual([]);
  });

  it('that lets itself be led out of its folder is held by what was learnt from honest calls', async (context) => {
    const place = join(folder, 'escape');
    const notes = join(place, 'notes');
    const fill = (): void => {
      rmSync(place, { recursive: true, force: true });
      writeFiles(place, {
        'notes/a.txt': 'one\ntwo\n',
        'notes/sub/b.md': 'b ünï',
        'notes-private/secret.txt': 'a private line',
      });
    };
    const policy = join(folder, 'learnt.json');
    const command = ['npx', '-y', '@modelcontextprotocol/server-filesystem@2025.3.28', notes];
    const open = (...flags: readonly string[]) =>
      openServer({ folder, flags: ['--name', 'old-files', ...flags], command }, context);
    const outside = { path: join(place, 'notes-private/secret.txt') };
    const honest = oldFilesystemCalls(notes);

    fill();
    const learning = await open('--mode', 'learn', '--learn-to', policy, '--write', place);
    const { tools } = await learning.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(namesIn(honest));
    expect(await askAll(learning.client, honest)).toEqual([]);
    await learning.client.close();
    expect(await until(() => existsSync(policy)), learning.stderr()).toBe(true);
    // The box that it was learnt in lets it out: what holds it is the policy, not what it was shown.
    const wide = await open('--write', place);
    expect(await ask(wide.client, 'read_file', outside)).toMatchObject({
      isError: false,
      text: expect.stringContaining('a private line'),
    });
    await wide.client.close();

    fill();
    const { client } = await open('--policy', policy);
    expect(await askAll(client, honest)).toEqual([]);
    const led = await ask(client, 'read_file', outside);
    expect(led).toMatchObject({ isError: true });
    expect(led.text).not.toContain('a private line');
    await client.close();
    expect(await objections(folder, 'old-files')).toEqual([]);
  });

  it.skipIf(!existsSync(chromium))('that drives a browser', async (context) => {
    const place = join(folder, 'browser');
    writeFiles(place, { 'up.txt': 'upload me' });
    const shown = ['/etc/chromium.d', '/etc/fonts'].filter((path) => existsSync(path));
    const limits = ['memoryBytes=1073741824', 'processes=200', 'cpuCores=2'];
    const { client, stderr } = await openServer(
      {
        folder,
        flags: [
          ...['--name', 'browser', '--write', place],
          ...shown.flatMap((path) => ['--read', path]),
          ...limits.flatMap((limit) => ['--limit', limit]),
        ],
        command: [
          ...['npx', '-y', '@playwright/mcp@0.0.83', '--headless', '--no-sandbox', '--isolated'],
          ...['--executable-path', chromium],
        ],
        cwd: place,
      },
      context,
    );
    const calls = playwrightCalls(join(place, 'up.txt'));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(namesIn(calls));
    expect(await askAll(client, calls), stderr()).toEqual([]);
    expect(stderr()).not.toMatch(/hotcell: browser: (refused|changed|noted)/);
    await client.close();
    expect(await objections(folder, 'browser')).toEqual([]);
  });
});
