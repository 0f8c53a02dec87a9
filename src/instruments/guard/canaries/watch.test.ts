import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import type { LedgerEntry } from '../../../engine/ledger/contract.ts';
import { Store } from '../../../engine/store/index.ts';
import type { CanaryPlace, GuardRecorder, RuleContext } from '../contract.ts';
import { type CanaryLeak, type PlantingKind, plantingKinds } from './documents.ts';
import { forgetCanary, issueCanary, listCanaries, markResult, plantToken } from './plant.ts';
import { plantInEnvironment, plantInResults } from './planting-rules.ts';
import { openCanaryWatch } from './watch.ts';

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0).reverse()) close();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'canaries-'));
  opened.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function openStore(folder = makeFolder()): Store {
  const store = Store.open(join(folder, 'state.sqlite'));
  opened.push(() => store.close());
  return store;
}

function memoryRecorder(entries: LedgerEntry[]): GuardRecorder {
  return {
    session: 's1',
    ledger: {
      append: async (entry) => ({ sequence: entries.push(entry) - 1, leaf: '' }),
      hashSecret: () => '',
    },
  };
}

const argumentsOf = (server: string): CanaryPlace => ({ server, channel: 'arguments', name: 'send' });

const wrappings: readonly (readonly [string, RegExp, (token: string) => Buffer | string])[] = [
  ['plain', /^plain$/, (token) => `{"text":"see ${token} there"}`],
  ['without its frame', /^plain$/, (token) => `{"x":"${token.replace(/^__MCP_CANARY_|__$/g, '')}"}`],
  ['upper case', /recased|plain/, (token) => token.toUpperCase()],
  ['base64', /^base64$/, (token) => `{"x":"${Buffer.from(`a${token}`).toString('base64')}"}`],
  ['base64url', /base64/, (token) => Buffer.from(`??>>${token}`).toString('base64url')],
  [
    'wrapped base64 in JSON',
    /base64/,
    (token) => JSON.stringify({ x: wrap(Buffer.from(token).toString('base64'), 60) }),
  ],
  ['wrapped base64', /base64/, (token) => wrap(Buffer.from(token).toString('base64'), 64)],
  ['hex', /^hex$/, (token) => Buffer.from(token).toString('hex')],
  ['hex with colons', /hex/, (token) => (Buffer.from(token).toString('hex').match(/../g) ?? []).join(':')],
  ['reversed', /reversed/, (token) => [...token].reverse().join('')],
  ['url encoded', /url/, (token) => [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['json escaped', /json/, (token) => `{"x":"${token.replaceAll('a', '\\u0061').replaceAll('1', '\\u0031')}"}`],
  ['html escaped', /html/, (token) => token.replaceAll('b', '&#98;').replaceAll('2', '&#50;')],
  ['gzip', /gzip/, (token) => gzipSync(`some text ${token}`)],
  ['base64 of gzip', /base64.*gzip|gzip.*base64/, (token) => `{"x":"${gzipSync(token).toString('base64')}"}`],
  ['hex of gzip', /gzip/, (token) => gzipSync(token).toString('hex')],
  ['base64 of base64', /base64/, (token) => Buffer.from(Buffer.from(token).toString('base64')).toString('base64')],
  ['xor', /xor/, (token) => Buffer.from(Buffer.from(token).map((byte) => byte ^ 0x5a))],
  ['utf-16', /utf-16/, (token) => Buffer.from(token, 'utf16le')],
];

function wrap(text: string, width: number): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join('\n');
}

describe('a token of one server in another', () => {
  it.each(wrappings)('is found %s', (_what, encoding, disguise) => {
    const store = openStore();
    const { token } = plantToken({ store, plantedIn: { server: 'mail', kind: 'results', name: '' } });
    const watch = openCanaryWatch({ store, server: 'web', recorder: null });
    const hits = watch.search(argumentsOf('web'), Buffer.from(disguise(token)));
    expect(hits.map((hit) => hit.encoding).some((found) => encoding.test(found))).toBe(true);
    expect(hits[0]?.plantedIn).toBe('the results of mail');
    expect(JSON.stringify(hits)).not.toContain(token);
  });

  it('is told once with both ends, in the store and in the ledger', async () => {
    const folder = makeFolder();
    const store = openStore(folder);
    const entries: LedgerEntry[] = [];
    const told: CanaryLeak[] = [];
    const watch = openCanaryWatch({
      store,
      server: 'web',
      recorder: memoryRecorder(entries),
      onLeak: (leak) => void told.push(leak),
    });
    expect(watch.search(argumentsOf('web'), Buffer.from('nothing yet'))).toEqual([]);
    // Planted by another process while this one runs.
    const { token, id } = issueCanary({ store: openStore(folder), chainId: 'c1', source: 'mail', downstream: ['web'] });
    const bytes = Buffer.from(JSON.stringify({ token }));
    await expect.poll(() => watch.search(argumentsOf('web'), bytes).length).toBe(1);
    for (let more = 0; more < 250; more += 1) watch.search(argumentsOf('web'), bytes);
    await watch.settled();
    expect(told).toHaveLength(1);
    expect(entries).toMatchObject([
      {
        instrument: 'guard',
        action: 'canary.leak',
        verdict: 'refused',
        server: 'web',
        details: { canary: id, plantedServer: 'mail', foundIn: { server: 'web', channel: 'arguments', name: 'send' } },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
    expect(watch.listLeaks('c1')).toMatchObject([
      { chain: 'c1', canary: id, plantedIn: { server: 'mail' }, isDownstream: true, encoding: 'plain' },
    ]);
    expect(watch.listLeaks('c1')[0]?.count).toBeGreaterThanOrEqual(200);
    expect(watch.listLeaks('c2')).toEqual([]);
  });

  it('says so when the ledger does not take it', async () => {
    const store = openStore();
    const { token } = issueCanary({ store, chainId: 'c', source: 'a', downstream: [] });
    const problems: string[] = [];
    const append = async () => Promise.reject(new Error('disk full'));
    const recorder = { session: 's', ledger: { append, hashSecret: () => '' } };
    const watch = openCanaryWatch({
      store,
      server: 'b',
      recorder,
      onFailure: (because) => void problems.push(because),
    });
    watch.search(argumentsOf('b'), Buffer.from(token));
    await watch.settled();
    expect(problems).toEqual(['a leak could not be written down: disk full']);
  });
});

describe('a token in its own server', () => {
  const leaks: Readonly<Record<PlantingKind, readonly CanaryPlace['channel'][]>> = {
    environment: ['results', 'network'],
    file: ['results', 'network'],
    results: ['network'],
    issued: ['network'],
  };
  it.each(plantingKinds)('planted as %s', (kind) => {
    const store = openStore();
    const { token } = plantToken({ store, plantedIn: { server: 'a', kind, name: 'X' } });
    const watch = openCanaryWatch({ store, server: 'a', recorder: null });
    const channels = ['arguments', 'results', 'stderr', 'files', 'network'] as const;
    const found = channels.filter(
      (channel) => watch.search({ server: 'a', channel, name: '' }, Buffer.from(token)).length > 0,
    );
    expect(found).toEqual(leaks[kind]);
  });
});

describe('planting', () => {
  it('gives one place one token, across restarts', () => {
    const folder = makeFolder();
    const plantedIn = { server: 'a', kind: 'environment', name: 'API_KEY' } as const;
    const first = plantToken({ store: openStore(folder), plantedIn });
    expect(first.token).toMatch(/^__MCP_CANARY_[0-9a-f]{64}__$/);
    const store = openStore(folder);
    expect(plantToken({ store, plantedIn }).token).toBe(first.token);
    expect(plantToken({ store, plantedIn: { ...plantedIn, name: 'OTHER' } }).token).not.toBe(first.token);
    expect(forgetCanary(store, first.id)).toBe(true);
    expect(listCanaries(store)).toHaveLength(1);
  });

  it.each(['short123', 'say "hi" there', 'x'.repeat(256)])(
    'searches for the very pattern %j and hands it back',
    (pattern) => {
      const store = openStore();
      expect(issueCanary({ store, chainId: 'c', source: 'a', downstream: ['b'], pattern }).token).toBe(pattern);
      const watch = openCanaryWatch({ store, server: 'b', recorder: null });
      const search = (text: string) => watch.search(argumentsOf('b'), Buffer.from(text)).length;
      expect(search(`see ${pattern}.`)).toBeGreaterThan(0);
      expect(search(Buffer.from(`see ${pattern}.`).toString('base64'))).toBeGreaterThan(0);
      if (pattern.length >= 16) expect(search(JSON.stringify({ pattern }))).toBeGreaterThan(0);
      expect(search('see something else, with "quotes" and \\u0061 escapes')).toBe(0);
    },
  );

  it.each(['short', 'x'.repeat(257), 'with\nlines'])('takes no pattern such as %j', (pattern) => {
    const ask = () => issueCanary({ store: openStore(), chainId: 'c', source: 'a', downstream: [], pattern });
    expect(ask).toThrow(UsageError);
  });

  it('marks a result with one line more', () => {
    expect(markResult({ content: [{ type: 'text', text: 'a' }] }, 'T')).toMatchObject({
      content: [{ text: 'a' }, { type: 'text', text: '[reference T]' }],
    });
    expect(markResult({ structuredContent: {} }, 'T')).toMatchObject({
      structuredContent: {},
      content: [{ type: 'text' }],
    });
    expect(markResult({ content: 'odd' }, 'T')).toBeNull();
    expect(markResult({ content: [], isError: true }, 'T')).toBeNull();
  });
});

describe('planting by the guard', () => {
  it('puts a token into results, and finds it when it goes to another server', () => {
    const store = openStore();
    const rule = plantInResults({ store, server: 'mail' });
    const value = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'hello' }] } };
    const bytes = Buffer.from(JSON.stringify(value));
    const message = {
      direction: 'to-client',
      kind: 'response',
      method: 'tools/call',
      id: 1,
      value,
      bytes,
      request: null,
    } as const;
    const decision = rule.judge(message, {} as RuleContext);
    const marked = Buffer.from(JSON.stringify(decision.is === 'change' ? decision.value : null));
    const watch = openCanaryWatch({ store, server: 'web', recorder: null });
    expect(watch.search(argumentsOf('web'), marked)).toMatchObject([{ plantedIn: 'the results of mail' }]);
    expect(openCanaryWatch({ store, server: 'mail', recorder: null }).search(argumentsOf('mail'), marked)).toEqual([]);
    const error = { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } };
    expect(rule.judge({ ...message, value: error }, {} as RuleContext)).toEqual({ is: 'pass' });
    const secret = plantInEnvironment({ store, server: 'mail' }, 'API_KEY');
    expect(plantInEnvironment({ store, server: 'mail' }, 'API_KEY')).toBe(secret);
  });
});

describe('streams and files', () => {
  it('are searched across the borders of pieces, whatever changes meanwhile', async () => {
    const store = openStore();
    const { token } = issueCanary({ store, chainId: 'c', source: 'a', downstream: [] });
    issueCanary({ store, chainId: 'c', source: 'a', downstream: [], pattern: 'shorty-1' });
    const watch = openCanaryWatch({ store, server: 'b', recorder: null });
    const where = { server: 'b', channel: 'stderr', name: 'stderr' } as const;
    for (const text of [`a ${token} b`, Buffer.from(token).toString('base64'), 'a shorty-1 b']) {
      const stream = watch.openStream(where);
      const bytes = Buffer.from(text);
      const hits = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, at) =>
        stream.feed(bytes.subarray(at * 3, at * 3 + 3)),
      );
      expect([...hits.flat(), ...stream.end()].length).toBeGreaterThan(0);
    }
    const stream = watch.openStream(where);
    expect(stream.feed(Buffer.from(token.slice(0, 40)))).toEqual([]);
    issueCanary({ store, chainId: 'other', source: 'a', downstream: [] });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(stream.feed(Buffer.from(token.slice(40)))).toHaveLength(1);
  });

  it('are looked through within limits, and links are left alone', async () => {
    const store = openStore();
    const { token } = issueCanary({ store, chainId: 'c', source: 'a', downstream: [] });
    const folder = makeFolder();
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    writeFileSync(join(folder, 'deep/er/copy.txt'), `${'x'.repeat(300_000)}${token}`);
    writeFileSync(join(folder, 'clean.txt'), 'nothing');
    symlinkSync(join(folder, 'deep/er/copy.txt'), join(folder, 'link'));
    const watch = openCanaryWatch({ store, server: 'b', recorder: null });
    const found = await watch.searchFiles([folder, join(folder, 'missing')]);
    expect(found.hits).toMatchObject([{ path: join(folder, 'deep/er/copy.txt'), encoding: 'plain' }]);
    expect(found).toMatchObject({ searchedFiles: 2, unsearched: 1 });
    expect(await watch.searchFiles([folder], { depth: 1 })).toMatchObject({ hits: [], unsearched: 1 });
    expect(await watch.searchFiles([folder], { fileBytes: 1000 })).toMatchObject({ hits: [], unsearched: 1 });
    expect((await watch.searchFiles([folder], { files: 0 })).unsearched).toBeGreaterThan(0);
    expect(watch.listLeaks('c')).toMatchObject([{ foundIn: { server: 'b', channel: 'files' } }]);
  });
});
