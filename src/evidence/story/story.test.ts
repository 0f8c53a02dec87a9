import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analysisSchema } from '../../base/analysis-schema.ts';
import { type Event, eventKinds, phases } from '../../base/event-schema.ts';
import { most, type StoryFacts } from './facts.ts';
import { eventAt, processOf, recordedEvents } from './sample-events.ts';
import { type Story, tellStory } from './story.ts';

const facts: StoryFacts = {
  home: '/home/priya',
  ownFolders: ['/opt/samples'],
  decoys: ['.ssh/id_ed25519', '/home/priya/.netrc'],
  declaredHosts: ['mirror.example'],
};

const shape = analysisSchema.pick({
  phases: true,
  calls: true,
  processes: true,
  files: true,
  hosts: true,
  leftOut: true,
});

async function told(events: Iterable<Event>): Promise<Story> {
  return shape.parse(await tellStory(events, facts));
}

const text = (value: { readonly text?: string } | object): string => ('text' in value ? String(value.text) : '?');

describe('the story of a server that sends a key away when it starts', async () => {
  const story = await told(recordedEvents('ssh-key-on-start'));

  it('has its phases in order, without a gap', () => {
    expect(story.phases.map(({ phase }) => phase)).toEqual([
      'start',
      'handshake',
      'list',
      'use',
      'attack',
      'idle',
      'stop',
    ]);
    for (const [at, { fromMs }] of story.phases.entries()) {
      if (at > 0) expect(fromMs).toBe(story.phases[at - 1]?.toMs);
    }
  });

  it('has every call with its kind, its tool and its end', () => {
    expect(story.calls).toHaveLength(20);
    expect(story.calls.map(({ kind }) => kind).filter((kind) => kind === 'trial')).toHaveLength(16);
    expect(story.calls[2]).toMatchObject({
      id: '3:tools/call:add_note',
      kind: 'honest',
      phase: 'use',
      tool: { text: 'add_note' },
      outcome: 'answered',
    });
    for (const { fromMs, toMs } of story.calls) expect(toMs).toBeGreaterThan(fromMs);
  });

  it('has the server and not the airlock that started it', () => {
    const server = story.processes.find(({ name }) => text(name) === 'node');
    expect(server).toMatchObject({ parent: null, argv: [{ text: 'node' }, { text: 'server.js' }] });
    expect(JSON.stringify(story.processes)).not.toContain('airlock');
  });

  it('has the bait first among the files', () => {
    expect(story.files[0]).toMatchObject({
      path: { text: '/home/priya/.ssh/id_ed25519' },
      access: 'read',
      is: 'decoy',
      count: 1,
    });
    expect(story.files.filter(({ is }) => is === 'own').map(({ path }) => text(path))).toContain(
      '/opt/samples/ssh-key-on-start/server.js',
    );
  });

  it('has the one host that it spoke to, by its name, with the leak', () => {
    expect(story.hosts).toHaveLength(1);
    expect(story.hosts[0]).toMatchObject({
      host: { text: 'collect.example' },
      ports: [443],
      requests: 1,
      isDeclared: false,
      leaks: 1,
      protocols: ['dns', 'tcp', 'tls', 'https'],
    });
    expect(story.hosts[0]?.events).toContain(152);
  });
});

describe('the story of a server with an injection', async () => {
  const story = await told(recordedEvents('shell-injection'));

  it('has the tree of what the shell started, down to the injected command', () => {
    const touch = story.processes.find(({ argv }) => argv.some((word) => text(word) === '/tmp/trials/hc459876445'));
    const above: string[] = [];
    for (let at = touch; at !== undefined; at = story.processes.find(({ pid }) => pid === at?.parent))
      above.push(text(at.name));
    expect(above).toEqual(['touch', 'sh', 'sh', 'node']);
    expect(touch).toMatchObject({ phase: 'attack', call: '4:tools/call:count_words' });
  });

  it('has the file that the injected command wrote', () => {
    expect(story.files).toContainEqual(
      expect.objectContaining({ path: { text: '/tmp/trials/hc459876445' }, access: 'write', is: 'other' }),
    );
  });

  it('has no host: nobody was spoken to', () => {
    expect(story.hosts).toEqual([]);
  });
});

function message(ms: number, fields: Event['fields'], rest: Partial<Event> = {}): Event {
  return eventAt(ms, { kind: 'message', fields, ...rest });
}

const request = (id: number, name = 'a'): Event['fields'] => ({
  direction: 'to-target',
  id,
  method: { text: 'tools/call' },
  content: { text: JSON.stringify({ id, params: { name } }) },
});
const answer = (id: number, content: object): Event['fields'] => ({
  direction: 'from-target',
  id,
  content: { text: JSON.stringify(content) },
});

describe('phases', () => {
  it('are as many as there is room for, and the others are counted', async () => {
    const events = Array.from({ length: 300 }, (_, at) =>
      eventAt(at, { kind: 'heartbeat', phase: Math.floor(at / 5) % 2 === 0 ? 'list' : 'use' }),
    );
    const story = await told(events);
    expect(story.phases).toHaveLength(most.phases);
    expect(story.leftOut).toEqual({ phases: 60 - most.phases });
  });

  it('are not begun again by what is handed over late', async () => {
    const seen = (ms: number, phase: Event['phase']): Event => eventAt(ms, { kind: 'heartbeat', phase });
    const { phases: spans } = await told([
      seen(0, 'start'),
      seen(10, 'use'),
      seen(20, 'use'),
      seen(5, 'start'),
      seen(30, 'use'),
    ]);
    expect(spans).toEqual([
      { phase: 'start', fromMs: 0, toMs: 10 },
      { phase: 'use', fromMs: 10, toMs: 30 },
    ]);
  });
});

describe('calls', () => {
  it.each([
    { is: 'a result', content: { result: {} }, outcome: 'answered' },
    { is: 'an error of the tool', content: { result: { isError: true } }, outcome: 'tool-error' },
    { is: 'an error of the protocol', content: { error: { code: -1 } }, outcome: 'rpc-error' },
    { is: 'nonsense', content: [1], outcome: 'answered' },
  ])('end as $outcome with $is', async ({ content, outcome }) => {
    const { calls } = await told([message(0, request(1)), message(5, answer(1, content))]);
    expect(calls).toMatchObject([{ outcome, fromMs: 0, toMs: 5 }]);
  });

  it('stay without an answer when another conversation begins to count again', async () => {
    const { calls } = await told([
      message(0, request(1)),
      message(9, request(1, 'b')),
      message(12, answer(1, { result: 1 })),
    ]);
    expect(calls).toMatchObject([
      { tool: { text: 'a' }, outcome: 'unanswered', toMs: 9 },
      { tool: { text: 'b' }, outcome: 'answered', toMs: 12 },
    ]);
  });

  it('are not ended by a request of the server that has the same id', async () => {
    const asked = {
      direction: 'from-target',
      id: 1,
      method: { text: 'sampling/createMessage' },
      content: { text: '{}' },
    };
    const { calls } = await told([message(0, request(1)), message(3, asked), message(8, answer(1, { result: 1 }))]);
    expect(calls).toMatchObject([{ toMs: 8 }]);
  });
});

describe('processes', () => {
  it('are new ones when their number is used again', async () => {
    const birth = (ms: number, name: string): Event[] => [
      eventAt(ms, { kind: 'fork', process: processOf(7, 1) }),
      eventAt(ms + 1, { kind: 'exec', process: processOf(7, 1, name), fields: { argv: [{ text: name }] } }),
      eventAt(ms + 2, { kind: 'exit', process: processOf(7, 1, name), fields: { code: 0 } }),
    ];
    const { processes } = await told([...birth(0, 'ls'), ...birth(10, 'wc')]);
    expect(processes.map(({ name, fromMs, toMs }) => [text(name), fromMs, toMs])).toEqual([
      ['ls', 0, 2],
      ['wc', 10, 12],
    ]);
  });

  it('that leak are told after a flood of others', async () => {
    const flood = Array.from({ length: 5000 }, (_, at) =>
      eventAt(at, { kind: 'exec', process: processOf(at + 10, 1, 'sleep'), fields: { argv: [{ text: 'sleep' }] } }),
    );
    const thief = eventAt(6000, {
      kind: 'bait-read',
      process: processOf(90_000, 1, 'thief'),
      fields: { decoy: '.netrc' },
    });
    const { processes, leftOut } = await told([...flood, thief]);
    expect(processes.map(({ name }) => text(name))).toContain('thief');
    expect(processes.length).toBeLessThanOrEqual(most.processes);
    expect(leftOut.processes).toBe(4500);
  });

  it('did not become what could not be started', async () => {
    const { processes } = await told([
      eventAt(0, { kind: 'exec', process: processOf(7, 1, 'env'), fields: { argv: [{ text: 'env' }] } }),
      eventAt(1, {
        kind: 'exec',
        process: processOf(7, 1, 'env'),
        fields: { argv: [{ text: 'curl' }] },
        outcome: 'failed',
      }),
    ]);
    expect(processes).toMatchObject([{ argv: [{ text: 'env' }] }]);
  });
});

describe('files', () => {
  const opened = (path: string, access = 'read', rest: Partial<Event> = {}): Event =>
    eventAt(0, { kind: 'open', fields: { path: { text: path }, access }, ...rest });

  it.each([
    { path: '/home/priya/.netrc', is: 'decoy' },
    { path: '/home/priya/../priya/.ssh/id_ed25519', is: 'decoy' },
    { path: '/opt/samples/x/server.js', is: 'own' },
    { path: '/opt/samples-of-others/x', is: 'other' },
    { path: '/usr/lib/libc.so.6', is: 'system' },
    { path: '/usr/../home/priya/notes', is: 'other' },
    { path: 'relative', is: 'other' },
  ])('$path is $is', async ({ path, is }) => {
    expect((await told([opened(path)])).files).toMatchObject([{ is, count: 1 }]);
  });

  it('are counted, and written ones are apart from read ones', async () => {
    const { files } = await told([
      opened('/a'),
      opened('/a'),
      opened('/a', 'read-write'),
      opened('/dev/null', 'write'),
    ]);
    expect(files.map(({ access, count }) => [access, count])).toEqual([
      ['read', 3],
      ['write', 1],
    ]);
  });

  it('that were not there were not touched, those that were refused were', async () => {
    const { files } = await told([
      opened('/a', 'read', { outcome: 'failed' }),
      opened('/b', 'read', { outcome: 'denied' }),
    ]);
    expect(files.map(({ path }) => text(path))).toEqual(['/b']);
  });

  it('that were moved are gone there and here now', async () => {
    const { files } = await told([
      eventAt(0, { kind: 'rename', fields: { from: { text: '/a' }, to: { text: '/b' } } }),
    ]);
    expect(files.map(({ path, access }) => [text(path), access])).toEqual([
      ['/a', 'remove'],
      ['/b', 'write'],
    ]);
  });
});

describe('hosts', () => {
  const asked = (name: string, ms = 0): Event =>
    eventAt(ms, { kind: 'dns-query', fields: { questions: [{ name, type: 'A' }] } });

  it('below one zone are one when they are many, and the leak is theirs', async () => {
    const names = Array.from({ length: 30 }, (_, at) => asked(`secret-${at}.lookup.example`, at));
    const leak = eventAt(40, { kind: 'leak', fields: { via: 'name lookup.example' } });
    const { hosts } = await told([...names, leak, asked('eu.mirror.example')]);
    expect(hosts).toMatchObject([
      { host: { text: '*.lookup.example' }, requests: 30, leaks: 1, isDeclared: false },
      { host: { text: 'eu.mirror.example' }, requests: 1, leaks: 0, isDeclared: true },
    ]);
  });

  it('are not what only ends like a declared one', async () => {
    const { hosts } = await told([asked('notmirror.example')]);
    expect(hosts).toMatchObject([{ isDeclared: false }]);
  });

  it.each([
    { is: 'the name server', fields: { family: 'ipv4', address: '10.200.0.1', port: 53 } },
    { is: 'a lookup that sends nothing', fields: { family: 'ipv4', address: '198.18.0.9', port: 0 } },
    { is: 'a socket of this machine', fields: { family: 'unix', path: { text: '/run/x' } } },
  ])('are not $is', async ({ fields }) => {
    expect((await told([eventAt(0, { kind: 'connect', fields })])).hosts).toEqual([]);
  });

  it('are another name server that it brought itself', async () => {
    const fields = { family: 'ipv4', address: '203.0.113.9', port: 53 };
    expect((await told([eventAt(0, { kind: 'send-to', fields })])).hosts).toMatchObject([
      { host: { text: '203.0.113.9' } },
    ]);
  });
});

describe('a story of anything', () => {
  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.record({ text: fc.string() }),
      fc.record({ base64: fc.base64String() }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('name', 'address', 'port', 'text'), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const names = [
    'path',
    'from',
    'to',
    'access',
    'argv',
    'id',
    'method',
    'direction',
    'content',
    'questions',
    'asked',
    'via',
    'host',
    'family',
    'address',
    'port',
    'state',
    'change',
  ];
  const event = fc.record({
    seq: fc.nat(),
    at: fc.record({
      monotonicNs: fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
      wall: fc.constant('2026-01-01T00:00:00Z'),
    }),
    run: fc.constant('r'),
    phase: fc.constantFrom(...phases),
    source: fc.constant('s'),
    kind: fc.constantFrom(...eventKinds),
    fields: fc.dictionary(fc.constantFrom(...names), anything),
    process: fc.option(fc.record({ pid: fc.nat(9), parent: fc.nat(9), name: fc.record({ text: fc.string() }) }), {
      nil: undefined,
    }),
  });

  it('has the shape of a story', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        await told(events as unknown as Event[]);
      }),
    );
  });

  it('stays small over three hundred thousand events', async () => {
    function* flood(): Generator<Event> {
      for (let at = 0; at < 50_000; at += 1) {
        yield eventAt(at, { kind: 'open', fields: { path: { text: `/tmp/${at}` }, access: 'write' } });
        yield eventAt(at, { kind: 'fork', process: processOf(at % 4_000_000, 1) });
        yield eventAt(at, {
          kind: 'exec',
          process: processOf(at % 4_000_000, 1),
          fields: { argv: [{ text: 'x'.repeat(5000) }] },
        });
        yield message(at, request(at));
        yield eventAt(at, { kind: 'dns-query', fields: { questions: [{ name: `${at}.a${at}.example` }] } });
        yield eventAt(at, { kind: 'dns-query', fields: { questions: [{ name: `h${at}` }] } });
      }
    }
    const story = await told(flood());
    expect(story.files).toHaveLength(most.files);
    expect(story.hosts).toHaveLength(most.hosts);
    expect(story.leftOut).toMatchObject({ files: 48_500 });
    expect(story.leftOut.calls).toBeGreaterThan(40_000);
    expect(JSON.stringify(story).length).toBeLessThan(4_000_000);
  });
});
