import { describe, expect, it } from 'vitest';
import { contactedHosts } from './contacted-hosts.ts';
import { contactsOf, isCovered, isPublicAddress, zoneOf } from './hosts.ts';
import { called, connected, judged, lookedUp, made, numbered, requested, started, told } from './sample-events.ts';

const call = '5:tools/call:fetch';

describe('a host that nothing names', () => {
  it.each([
    { title: 'looked up', events: [lookedUp('gather.example')] },
    { title: 'asked', events: [requested('gather.example'), lookedUp('gather.example')] },
    {
      title: 'contacted during a trial that names none',
      events: [called(call, { word: 'cat' }, 'attack'), requested('gather.example', { phase: 'attack', call })],
    },
  ])('$title is undeclared', async ({ events }) => {
    expect(await told(events)).toEqual(['C medium undeclared-host']);
  });

  it.each([
    { title: 'declared', events: [requested('api.weather.example')] },
    { title: 'of the registry', events: [requested('registry.example')] },
    { title: 'of a trial', events: [lookedUp('x1.probe.example', { phase: 'attack' })] },
    {
      title: 'named by a call',
      events: [called(call, { url: 'https://news.example/a' }), requested('news.example', { call })],
    },
    {
      title: 'below one named by a call',
      events: [called(call, { host: 'news.example' }), lookedUp('www.news.example')],
    },
    { title: 'without a dot', events: [lookedUp('postgres')] },
    { title: 'of the platform', events: [lookedUp('x.local'), lookedUp('5.0.0.10.in-addr.arpa')] },
    { title: 'loopback', events: [connected('127.0.0.1', 5432), connected('::1', 5432)] },
    {
      title: 'private',
      events: [connected('10.1.2.3', 80), connected('fd00::1', 80), connected('169.254.169.254', 80)],
    },
    { title: 'a made-up address', events: [connected('198.19.1.2', 443), connected('2001:db8::1', 443)] },
    { title: 'a public resolver', events: [connected('8.8.8.8', 53)] },
    {
      title: 'derived from a payload',
      events: [called(call, { url: 'http://127.1/' }, 'attack'), lookedUp('odd.example', { phase: 'attack', call })],
    },
    { title: 'during a trial, of no call', events: [lookedUp('odd.example', { phase: 'attack' })] },
  ])('$title is not told', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });

  it('is telemetry where it is known for it', async () => {
    expect(await told([requested('o42.ingest.sentry.io')])).toEqual(['C low undeclared-telemetry']);
    expect(await told([requested('o42.ingest.sentry.io')], { declaredHosts: ['sentry.io'] })).toEqual([]);
  });

  it('is an address without a name', async () => {
    expect(await told([connected('45.77.1.2', 4444)])).toEqual(['B medium bare-address']);
  });

  it('is one finding for all names of a zone', async () => {
    const names = Array.from({ length: 500 }, (_, at) => lookedUp(`part${at}.evil.example`));
    const findings = await judged(names);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.title).toContain('evil.example (5 names below it or more)');
  });
});

describe('an install', () => {
  const phase = 'install' as const;
  it.each([
    {
      title: 'that talks to a host',
      events: [requested('drop.example', { phase })],
      rules: ['C medium install-contact'],
    },
    { title: 'that downloads', events: [requested('github.com', { phase })], rules: ['C low install-download'] },
    {
      title: 'that asks a declared host',
      events: [requested('weather.example', { phase })],
      rules: ['C low install-download'],
    },
    { title: 'that asks the registry', events: [lookedUp('registry.example', { phase })], rules: [] },
  ])('$title', async ({ events, rules }) => {
    expect(await told(events)).toEqual(rules);
  });
});

describe('mining', () => {
  const bytes = (text: string) =>
    made('raw-bytes', {
      bytes: { base64: Buffer.from(text).toString('base64') },
      asked: { address: '10.0.0.1', port: 3333, name: null },
    });
  it.each([
    { title: 'a miner', events: [started(['xmrig', '-o', 'pool:3333'])] },
    { title: 'its options', events: [started(['./x', '-o', 'stratum+tcp://p:1'])] },
    { title: 'its protocol', events: [bytes('{"id":1,"method":"mining.subscribe","params":[]}')] },
    {
      title: 'login of a miner',
      events: [bytes('{"id":1,"method":"login","params":{"login":"w","agent":"XMRig/6"}}')],
    },
  ])('is seen by $title', async ({ events }) => {
    expect(await told(events)).toEqual(['B high mining']);
  });

  it('is seen by the pool, which is a host as well', async () => {
    expect(await told([lookedUp('pool.supportxmr.com')])).toEqual(['C medium undeclared-host', 'B high mining']);
    expect(await told([lookedUp('pool.supportxmr.com')], { declaredHosts: ['supportxmr.com'] })).toEqual([]);
  });

  it.each([
    { title: 'a login of anything else', events: [bytes('{"method":"login","params":{"user":"x"}}')] },
    {
      title: 'a command that our call named',
      events: [called(call, { command: 'which xmrig' }), started(['sh', '-c', 'which xmrig'], { call })],
    },
  ])('is not $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });
});

describe('hosts', () => {
  it.each([
    ['a.b.evil.example', 'evil.example'],
    ['shop.co.uk', 'shop.co.uk'],
    ['x.shop.co.uk', 'shop.co.uk'],
    ['localhost', 'localhost'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s lies in %s', (host, zone) => {
    expect(zoneOf(host)).toBe(zone);
  });

  it.each([
    ['8.8.8.8', true],
    ['::ffff:8.8.8.8', true],
    ['::ffff:7f00:1', false],
    ['2a00:1450::1', true],
    ['fe80::1', false],
    ['172.20.0.1', false],
    ['172.32.0.1', true],
    ['example.com', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(isPublicAddress(address)).toBe(isPublic);
  });

  it('a name covers those below it, and no others', () => {
    expect(isCovered('api.weather.example', ['weather.example'])).toBe(true);
    expect(isCovered('notweather.example', ['weather.example'])).toBe(false);
  });

  it('are gathered by name, once each', async () => {
    const events = [lookedUp('a.example'), requested('a.example'), connected('45.77.1.2', 1), requested('b.example')];
    expect(await contactedHosts(numbered(events))).toEqual(['a.example', 'b.example']);
  });

  it('fields of another shape are no contact', () => {
    const events = numbered([
      made('dns-query', { questions: 7 }),
      made('http-request', { asked: null }),
      made('connect', { family: 'unix' }),
    ]);
    expect(events.flatMap(contactsOf)).toEqual([]);
  });
});
