import { describe, expect, it } from 'vitest';
import { wayOf } from './canary-left.ts';
import { baited, called, judged, leaked, made, opened, started, told } from './sample-events.ts';

const key = 'file .ssh/id_ed25519';
const call = '3:tools/call:shorten';

describe('a planted secret that left', () => {
  it.each([
    { title: 'over the network', events: [leaked(key, 'collect.example:443')] },
    { title: 'in names', events: [leaked(key, 'name lookup.example')] },
    { title: 'to a declared host', events: [leaked(key, 'weather.example:443')] },
    { title: 'in an answer', events: [called(call, { text: 'A text.' }), leaked(key, 'messages', { call })] },
    {
      title: 'over the network during a trial',
      events: [called(call, { path: '../../x' }, 'attack'), leaked(key, 'evil.example:443', { phase: 'attack', call })],
    },
    {
      title: 'in the answer to a trial that could not lead there',
      events: [called(call, { text: 'hello' }, 'attack'), leaked(key, 'messages', { phase: 'attack', call })],
    },
    {
      title: 'as the whole environment, to a declared host',
      events: ['A_KEY', 'B_KEY', 'C_KEY'].map((name) => leaked(`variable ${name}`, 'weather.example:443')),
    },
    {
      title: 'as a variable of another vendor, to an undeclared host',
      events: [leaked('variable OPENAI_API_KEY', 'evil.example:443', { vendor: 'openai-key' })],
    },
    {
      title: 'to a host that an honest call named',
      events: [called(call, { url: 'http://pages.example/a' }), leaked(key, 'pages.example:80', { call })],
    },
  ])('$title is proof', async ({ events }) => {
    expect(await told(events)).toEqual(['A critical canary-left']);
  });

  it.each([
    {
      title: 'an answer to a trial that leads somewhere',
      events: [called(call, { path: '../../.ssh/id' }, 'attack'), leaked(key, 'messages', { phase: 'attack', call })],
    },
    { title: 'output of a trial that belongs to no call', events: [leaked(key, 'stdout', { phase: 'attack' })] },
    {
      title: 'a file that the call named',
      events: [called(call, { path: '/home/sam/.ssh/id_ed25519' }), leaked(key, 'messages', { call })],
    },
    { title: 'a host of a trial', events: [leaked(key, 'a.probe.example:80', { phase: 'attack' })] },
    {
      title: 'a token at the vendor it is from',
      events: [leaked('variable GITHUB_TOKEN', 'api.github.com:443', { vendor: 'github-token' })],
    },
    {
      title: 'a token at the registry',
      events: [leaked('file .npmrc', 'registry.example:443', { vendor: 'npm-token', phase: 'install' })],
    },
    {
      title: 'what git sends on behalf of its user',
      events: [leaked('file .git-credentials', 'forge.example:443', { argv: ['git-remote-https', 'origin'] })],
    },
    { title: 'a variable that it was given', events: [leaked('variable WEATHER_KEY', 'api.other.example:443')] },
    { title: 'arguments of a program', events: [leaked(key, 'arguments')] },
    { title: 'the planted file, rewritten', events: [leaked('file .gitconfig', 'file /home/sam/.gitconfig.lock')] },
  ])('is not told of $title', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });

  it.each([
    {
      title: 'another vendor, declared',
      planted: 'variable STRIPE_SECRET_KEY',
      via: 'weather.example:443',
      rule: 'C medium credential-sent-elsewhere',
    },
    { title: 'the log', planted: 'variable OPENAI_API_KEY', via: 'stderr', rule: 'C low secret-in-log' },
    { title: 'a copy', planted: key, via: 'file /tmp/x', rule: 'C low secret-in-log' },
  ])('is told as less of $title', async ({ planted, via, rule }) => {
    expect(await told([leaked(planted, via, { vendor: 'stripe-key' })])).toEqual([rule]);
  });

  it('is printed, unless it is an answer, or the end of one that was too long to be searched', async () => {
    const printed = leaked(key, 'stdout');
    const long = { ...made('message', { direction: 'from-target' }), truncated: ['content'] };
    expect(await told([printed])).toEqual(['C low secret-in-log']);
    expect(await told([printed, leaked(key, 'messages')])).toEqual(['A critical canary-left']);
    expect(await told([long, printed])).toEqual(['A critical canary-left']);
  });

  it('is an exposure where the tool says so by its name', async () => {
    const names = ['AWS_SECRET_ACCESS_KEY', 'NPM_TOKEN', 'SLACK_BOT_TOKEN'];
    const events = names.map((name) => leaked(`variable ${name}`, 'messages', { call: '4:tools/call:print_env' }));
    expect(await told(events)).toEqual(['C medium secret-in-answer']);
  });

  it('is one finding per decoy and host, with the events of the reading', async () => {
    const [first, ...others] = await judged([
      baited('.ssh/id_ed25519', { phase: 'attack' }),
      leaked(key, 'collect.example:443'),
      leaked(key, 'collect.example:80'),
    ]);
    expect(others).toEqual([]);
    expect(first?.title).toBe('The content of .ssh/id_ed25519 went to collect.example as base64');
    expect(first?.evidence.map(({ ref }) => ref)).toEqual(['event:1', 'event:0', 'event:2', 'event:0']);
  });

  it.each([
    ['collect.example:443', { kind: 'host', host: 'collect.example' }],
    ['2001:db8::1:443', { kind: 'host', host: '2001:db8::1' }],
    ['name zone.example', { kind: 'host', host: 'zone.example' }],
    ['messages', { kind: 'client' }],
    ['stdout', { kind: 'output' }],
    ['stderr', { kind: 'log' }],
    ['file /a:1', { kind: 'log' }],
    ['arguments', { kind: 'inside' }],
    ['', { kind: 'inside' }],
  ])('goes by %s', (via, way) => {
    expect(wayOf(via)).toEqual(way);
  });
});

describe('a decoy that was read', () => {
  it.each([
    { title: 'by the server', events: [baited('.ssh/id_ed25519')] },
    { title: 'by node in an install', events: [baited('.aws/credentials', { phase: 'install' })] },
    { title: 'by cat', events: [baited('.netrc', { argv: ['cat', '/home/sam/.netrc'] })] },
    { title: 'by git, of another program', events: [baited('.ssh/id_ed25519', { argv: ['git', 'status'] })] },
  ])('$title is observed', async ({ events }) => {
    expect(await told(events)).toEqual(['B high decoy-read']);
  });

  it.each([
    { title: 'git', events: [baited('.gitconfig', { argv: ['git', 'status'] })] },
    { title: 'npm', events: [baited('.npmrc', { argv: ['npm', 'install'], phase: 'install' })] },
    { title: 'node that is npm', events: [baited('.npmrc', { argv: ['/usr/bin/node', '/usr/bin/npm', 'ci'] })] },
    { title: 'pip as a module', events: [baited('.netrc', { argv: ['python3.12', '-m', 'pip', 'install', '.'] })] },
    { title: 'requests in python', events: [baited('.netrc', { argv: ['python3', 'server.py'] })] },
    { title: 'kubectl', events: [baited('.kube/config', { argv: ['/usr/local/bin/kubectl', 'get', 'pods'] })] },
    { title: 'a trial', events: [baited('.ssh/id_ed25519', { phase: 'attack' })] },
    { title: 'a process of its own variables', events: [baited('environment')] },
    {
      title: 'a call that named it',
      events: [called(call, { path: '.ssh/id_ed25519' }), baited('.ssh/id_ed25519', { call })],
    },
    { title: 'settings of the folder it was started in', events: [started(['node', 'server.js']), settingsRead()] },
  ])('$title is no news', async ({ events }) => {
    expect(await told(events)).toEqual([]);
  });

  it('is what an SDK is for', async () => {
    const events = [
      opened('/opt/target/node_modules/@aws-sdk/credential-provider-ini/dist/index.js'),
      baited('.aws/credentials'),
    ];
    expect(await told(events)).toEqual(['D info credentials-used']);
    expect(await told(events.slice(1))).toEqual(['B high decoy-read']);
  });
});

function settingsRead() {
  const event = baited('work/.env');
  return { ...event, fields: { ...event.fields, path: { text: '/opt/target/.env' } } };
}
