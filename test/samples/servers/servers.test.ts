import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Arena, run } from '../../contract/box/arena.ts';
import { Conversation } from './conversation.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
  type SampleServer,
  serversFolder,
} from './sample-servers.ts';
import { witnessOf } from './witnesses.ts';

/** Every sample lives, in a box, and does what the index says of it; its twin lives as well and does not. */

const samples = readSampleServers();
const backend = 'bwrap';

const fileNames = {
  python: { manifest: 'pyproject.toml', server: 'server.py' },
  javascript: { manifest: 'package.json', server: 'server.js' },
} as const;

const read = (...path: string[]): string => readFileSync(join(serversFolder, ...path), 'utf8');

function toolNames({ id, language }: SampleServer): readonly string[] {
  const named = /registerTool\(\s*'(\w+)'|@server\.tool\(.*\)\ndef (\w+)/g;
  return [...read(id, fileNames[language].server).matchAll(named)].map(([, script, python]) => script ?? python ?? '');
}

describe('the index', () => {
  it('names every folder once', () => {
    const folders = readdirSync(serversFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = folders.map(({ name }) => name).filter((name) => name !== 'lib');
    expect(samples.map(({ id }) => id).sort()).toEqual(names.sort());
  });

  it('has enough of every kind', () => {
    const hostile = samples.filter(({ role }) => role === 'hostile');
    const count = (test: (sample: SampleServer) => boolean): number => hostile.filter(test).length;
    expect(hostile.length).toBeGreaterThanOrEqual(24);
    expect(count(({ transport }) => transport === 'http')).toBeGreaterThanOrEqual(4);
    expect(count(({ language }) => language === 'python')).toBeGreaterThanOrEqual(10);
    expect(count(({ language }) => language === 'javascript')).toBeGreaterThanOrEqual(10);
    expect(count(({ axis }) => axis === 'weakness')).toBeGreaterThanOrEqual(8);
  });

  it.each(samples)('describes $id as it is', (sample) => {
    const twin = samples.find(({ id }) => id === sample.twin);
    expect(twin).toMatchObject({ twin: sample.id, language: sample.language, transport: sample.transport });
    expect([sample.role, twin?.role].sort()).toEqual(['honest', 'hostile']);
    expect(sample.expects === 'nothing').toBe(sample.role === 'honest');
    expect(sample.named === undefined).toBe(sample.role === 'honest');
    expect(sample.named?.length === 0).toBe(sample.role === 'hostile' && sample.answers.length === 0);
    expect(sample.does).not.toBe(twin?.does);
    expect(toolNames(sample)).toEqual(toolNames(twin ?? sample));
    expect(toolNames(sample).length).toBeGreaterThan(0);
    const { manifest, server } = fileNames[sample.language];
    expect(read(sample.id, manifest)).toBe(read(sample.twin, manifest));
    expect(read(sample.id, manifest)).not.toMatch(/"(dev|optional|peer)?dependencies": \{|dependencies = \[.+\]/i);
    for (const word of [...sample.start, ...(sample.install ?? [])].slice(1)) {
      expect(existsSync(join(folderOf(sample), word))).toBe(word.includes('.'));
    }
    expect(read(sample.id, server)).toMatch(
      /^(\/\/|#) (HARMLESS SAMPLE, FOR BOXES ONLY|HONEST TWIN of .*for boxes only)/,
    );
    if (sample.shows !== undefined) expect(JSON.stringify(sample.trigger)).not.toContain(sample.shows);
  });

  it('lets no sample name a host that could exist', () => {
    const isOurs = /(^|\.)example$|^127\.|^localhost$/;
    for (const { id, language } of samples) {
      const text = read(id, fileNames[language].server);
      const hosts = [...text.matchAll(/https?:\/\/([a-z0-9.-]*[a-z0-9])/g)].map(([, host = '']) => host);
      expect(hosts.filter((host) => !isOurs.test(host))).toEqual([]);
    }
  });
});

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly type: string; readonly properties?: Readonly<Record<string, unknown>> };
}

const oddValues: readonly unknown[] = [null, -1, true, [], { a: [{}] }, '', '../%00\ud800'.repeat(500)];

/** An honest server answers whatever it is given, and lives on. */
async function giveOddValues(conversation: Conversation, tools: readonly Tool[]): Promise<void> {
  for (const { name, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties ?? {});
    expect(await conversation.call(name, {})).not.toBeNull();
    for (const value of names.length === 0 ? [] : oddValues) {
      const given = Object.fromEntries(names.map((key) => [key, value]));
      expect(await conversation.call(name, given)).not.toBeNull();
    }
  }
  expect((await conversation.ask('ping'))?.result).toEqual({});
}

describe('a sample server in a box', () => {
  const arena = new Arena();
  beforeEach((context) => arena.need(backend, context));
  afterEach(() => arena.closeBoxes());
  afterAll(async () => {
    await arena.close();
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each(samples)('$id $does', async (sample) => {
    const policy = policyOf(sample, 'none');
    const box = await arena.box(backend, { ...policy, limits: { ...policy.limits, ...sample.needs.limits } });
    const child = await box.spawn(commandOf(sample), { cwd: folderOf(sample) });
    const conversation = new Conversation(child, sample.transport);
    if (!sample.answers.includes('initialize')) {
      const answered = conversation.initialize();
      await conversation.end();
      expect(await answered).toBeNull();
      return;
    }
    const first = await conversation.initialize();
    expect(first?.result).toMatchObject({ protocolVersion: '2025-03-26', capabilities: { tools: {} } });
    const listing = await conversation.ask('tools/list');
    const tools = listing?.result?.tools as readonly Tool[];
    expect(tools.map(({ inputSchema }) => inputSchema.type)).toEqual(tools.map(() => 'object'));
    const { trigger } = sample;
    if (trigger.tool !== null) expect(tools.map(({ name }) => name)).toContain(trigger.tool);
    expect((await conversation.ask('ping'))?.result).toEqual({});
    expect((await conversation.ask('no/such/method'))?.error?.code).toBe(-32601);
    if (sample.role === 'honest') await giveOddValues(conversation, tools);
    const witness = witnessOf(sample);
    if (witness !== undefined) {
      expect(await witness({ box, conversation, sample, listing })).toBe(sample.role === 'hostile');
    } else if (trigger.tool !== null) {
      expect((await conversation.call(trigger.tool, trigger.example))?.result).toMatchObject({
        content: [{ type: 'text' }],
      });
    }
  });

  it.each(samples.filter(({ install }) => install !== undefined))('$id at its installation', async (sample) => {
    const box = await arena.box(backend, policyOf(sample, 'none'));
    const { status } = await run(box, ['/usr/bin/env', ...(sample.install ?? [])], { cwd: folderOf(sample) });
    expect(status.code).toBe(0);
    const { changes } = await box.diff();
    expect(changes.some(({ path }) => path.includes('/.config/autostart/'))).toBe(sample.role === 'hostile');
  });
});
