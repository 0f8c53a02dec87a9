import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../base/errors.ts';
import { credentialOf } from './credential.ts';
import { loadScope, makeScope } from './load.ts';

const folder = await mkdtemp(join(tmpdir(), 'scope-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const authorization = { by: 'the owner', reference: 'letter 7' };
const addresses: Readonly<Record<string, readonly string[]>> = {
  'api.example.com': ['9.9.9.9', '::ffff:9.9.9.9', '2620:FE::9', 'nonsense'],
  localhost: ['127.0.0.1', '::1'],
  'inside.example.com': ['10.0.0.5'],
  'keys.example.com': ['169.254.169.254'],
  'nothing.example.com': [],
};
const asked: string[] = [];
const means = {
  environment: { SHOP_TOKEN: ' Bearer abc ' },
  resolve: async (name: string) => {
    asked.push(name);
    const found = addresses[name];
    if (found === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}\u001b`);
    return found;
  },
  now: Date.parse('2026-11-15T12:00:00Z'),
};
const make = (fields: object) => makeScope(JSON.stringify({ authorization, ...fields }), 'shop.json', means);

describe('loadScope', () => {
  it('reads a file, resolves each name once, and lets nobody change what came out', async () => {
    const file = join(folder, 'shop.json');
    await writeFile(file, JSON.stringify({ targets: ['api.example.com', '127.0.0.1'], authorization }));
    asked.length = 0;
    const scope = await loadScope({ file, ...means });
    expect(asked).toEqual(['api.example.com']);
    expect(scope).toMatchObject({
      name: 'shop',
      file,
      notes: [],
      urls: [],
      methods: [],
      ports: [{ from: 1, to: 65_535 }],
    });
    expect(scope.rate).toEqual({ requestsPerSecond: 50, connectionsPerSecond: 300 });
    expect(scope.concurrency).toEqual({ scans: 4, perTarget: 2, connections: 100 });
    expect([...scope.pins]).toEqual([['api.example.com', ['9.9.9.9', '2620:fe::9']]]);
    const pinned = scope.pins.get('api.example.com') as string[];
    for (const change of [
      () => pinned.push('1.1.1.1'),
      () => scope.document.targets.push('0.0.0.0/0'),
      () => Object.assign(scope, { ranges: [] }),
      () => Object.assign(scope.rate, { requestsPerSecond: 1e9 }),
      () => Object.assign(scope.ranges[0] ?? {}, { last: 2n ** 32n }),
      () => Map.prototype.set.call(scope.pins, 'x', ['1.1.1.1']),
    ]) {
      expect(change).toThrow(TypeError);
    }
  });

  it('does not look at the file again', async () => {
    const file = join(folder, 'later.json');
    await writeFile(file, JSON.stringify({ targets: ['127.0.0.1'], authorization }));
    const scope = await loadScope({ file, ...means });
    await writeFile(file, JSON.stringify({ targets: ['0.0.0.0/0'], authorization }));
    expect(scope.document.targets).toEqual(['127.0.0.1']);
  });

  it.each<[string, (file: string) => Promise<unknown> | unknown, RegExp]>([
    ['missing.json', () => null, /cannot read the scope ".*missing\.json": ENOENT/],
    ['large.json', (file) => writeFile(file, ' '.repeat(2 ** 20 + 1)), /larger than 1048576 bytes/],
    ['latin.json', (file) => writeFile(file, Buffer.from([0x22, 0xe4, 0x22])), /not UTF-8/],
    ['pipe.json', (file) => execFileSync('mkfifo', [file]), /it is not a file/],
    ['.', () => null, /it is not a file/],
  ])('%s', async (name, prepare, reason) => {
    const file = join(folder, name);
    await prepare(file);
    const failure = await loadScope({ file, ...means }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).message).toMatch(reason);
  });
});

describe('names', () => {
  it.each<[readonly string[], RegExp]>([
    [
      ['gone.example.com'],
      /targets\[0\]: the name gone\.example\.com cannot be resolved: getaddrinfo ENOTFOUND gone\.example\.com\\x1b/,
    ],
    [['nothing.example.com'], /targets\[0\]: the name nothing\.example\.com cannot be resolved: it has no address/],
    [['127.0.0.1', 'localhost'], /targets\[1\]: the name localhost leads there: ::1 is a loopback address/],
    [
      ['inside.example.com'],
      /10\.0\.0\.5 is a private address, and the scope does not name it as such; add that address/,
    ],
    [['inside.example.com', '0.0.0.0/0'], /10\.0\.0\.5 is a private address/],
    [['keys.example.com', '169.254.0.0/16'], /169\.254\.169\.254 is a metadata address.*by itself/],
  ])('%s', async (targets, reason) => {
    await expect(make({ targets })).rejects.toThrow(reason);
  });

  it.each<[readonly string[], readonly string[]]>([
    [
      ['localhost', '127.0.0.1', '::1'],
      ['127.0.0.1', '::1'],
    ],
    [['inside.example.com', '10.0.0.0/24'], ['10.0.0.5']],
    [['keys.example.com', '169.254.169.254'], ['169.254.169.254']],
  ])('%s is named', async (targets, pinned) => {
    expect((await make({ targets })).pins.get(targets[0] ?? '')).toEqual(pinned);
  });
});

describe('the fingerprint', () => {
  const fingerprintOf = async (text: string): Promise<string> => (await makeScope(text, 'x', means)).fingerprint;
  const plain = '{"targets":["127.0.0.1","::1"],"authorization":{"by":"a","reference":"b"}}';

  it.each<[string, string, boolean]>([
    ['white space', '{ "targets" : [ "127.0.0.1",\n"::1" ],"authorization":{"by":"a","reference":"b"}}', true],
    ['the order of keys', '{"authorization":{"reference":"b","by":"a"},"targets":["127.0.0.1","::1"]}', true],
    ['the schema for editors', plain.replace('{', '{"$schema":"x",'), true],
    ['a target', plain.replace('::1', '10.0.0.1'), false],
    ['who allowed it', plain.replace('"a"', '"c"'), false],
    ['a port', plain.replace('{', '{"ports":[80],'), false],
  ])('and %s', async (_what, text, isSame) => {
    const first = await fingerprintOf(plain);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect((await fingerprintOf(text)) === first).toBe(isSame);
  });
});

describe('notes', () => {
  it.each<[object, RegExp]>([
    [{ targets: ['8.0.0.0/5'] }, /8\.0\.0\.0\/5 does not open the special addresses inside of it \(private\)/],
    [{ targets: ['169.254.0.0/16'] }, /\(metadata\)/],
    [{ targets: ['127.0.0.1'], expires: '2026-11-15T12:00:00Z' }, /no scan can start now: the scope expired/],
    [
      { targets: ['127.0.0.1'], credentials: [{ name: 'a', header: 'X', variable: 'NOT_SET' }] },
      /the credential a has no value: the variable NOT_SET is not set/,
    ],
  ])('%j', async (fields, note) => {
    expect((await make(fields)).notes).toEqual([expect.stringMatching(note)]);
  });

  it('tells of a name that looks like another', async () => {
    const { notes } = await makeScope(JSON.stringify({ targets: ['xn--pi-7kc.example'], authorization }), 'x', {
      ...means,
      resolve: async () => ['9.9.9.9'],
    });
    expect(notes).toEqual([expect.stringContaining('looks like another name')]);
  });
});

describe('credentials', () => {
  const credentials = [{ name: 'user', header: 'Authorization', variable: 'SHOP_TOKEN' }];

  it('come from the environment', async () => {
    const scope = await make({ targets: ['127.0.0.1'], credentials });
    expect(credentialOf(scope, 'user', means.environment)).toEqual({
      name: 'user',
      header: 'Authorization',
      value: 'Bearer abc',
    });
    expect(JSON.stringify(scope, (_, value) => (typeof value === 'bigint' ? '' : value))).not.toContain('abc');
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['usr', {}, /no credential "usr"/],
    ['\u001b', {}, /no credential "\\x1b"/],
    ['user', {}, /the variable SHOP_TOKEN is not set/],
    ['user', { SHOP_TOKEN: ' ' }, /is empty/],
    ['user', { SHOP_TOKEN: 'secret\r\nHost: x' }, /holds characters that no header holds/],
    ['user', { SHOP_TOKEN: 'secrét' }, /holds characters that no header holds/],
    ['user', { SHOP_TOKEN: 'secret'.repeat(2000) }, /longer than 8192/],
  ])('%j with %j', async (name, environment, reason) => {
    const scope = await make({ targets: ['127.0.0.1'], credentials });
    const run = () => credentialOf(scope, name, environment);
    expect(run).toThrow(UsageError);
    expect(run).toThrow(reason);
    expect(run).not.toThrow(/secr/);
  });
});
