import type { Event, EventKind, Phase } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { DetectorContext } from '../detector.ts';
import { runDetectors } from './index.ts';

/** Small streams of events for tests, in the shapes that the sensors give them. */

export const sampleContext: DetectorContext = {
  folders: { home: '/home/sam', work: '/home/sam/project', tmp: '/tmp' },
  ownFolders: ['/opt/target'],
  declaredHosts: ['weather.example'],
  registryHosts: ['registry.example'],
  trialHosts: ['probe.example'],
  givenPaths: ['/home/sam/workspace'],
  argv: ['node', 'server.js'],
};

export type Extra = Partial<Pick<Event, 'phase' | 'call' | 'outcome' | 'source'>> & {
  readonly pid?: number;
  readonly parent?: number;
  readonly argv?: readonly string[];
};

type Unnumbered = Omit<Event, 'seq'>;

export function made(kind: EventKind, fields: Event['fields'], extra: Extra = {}): Unnumbered {
  const { pid = 100, parent = 99, argv = ['node', 'server.js'], phase = 'use', ...rest } = extra;
  return {
    run: 'r',
    at: { monotonicNs: '1', wall: '2026-01-01T00:00:00.000Z' },
    phase,
    source: 'test',
    process: { pid, parent, name: { text: argv[0] ?? '' }, argv: argv.map((text) => ({ text })) },
    kind,
    fields,
    ...rest,
  };
}

export function numbered(events: readonly Unnumbered[]): readonly Event[] {
  return events.map((event, seq) => ({ ...event, seq }));
}

export const opened = (path: string, access = 'read', extra: Extra = {}): Unnumbered =>
  made(
    'open',
    { path: { text: path }, access, creates: access === 'write', truncates: access === 'write', isFolder: false },
    extra,
  );

export const started = (argv: readonly string[], extra: Extra = {}): Unnumbered => {
  const [first = ''] = argv;
  const path = first.startsWith('/') ? first : `/usr/bin/${first}`;
  const fields = { path: { text: path }, argv: argv.map((text) => ({ text })), cwd: { text: '/opt/target' } };
  return made('exec', fields, { outcome: 'ok', ...extra, argv });
};

export const baited = (decoy: string, extra: Extra = {}): Unnumbered =>
  made('bait-read', { decoy, canaries: ['c'], path: { text: `/home/sam/${decoy}` } }, extra);

export const leaked = (planted: string, via: string, extra: Extra & { readonly vendor?: string } = {}): Unnumbered => {
  const { vendor = 'ssh-key', ...rest } = extra;
  const fields = { canary: 'c', vendor, kind: 'key', planted, via, encodings: ['base64'], offset: 0 };
  return made('leak', { ...fields, excerpt: { text: 'secret' }, readBy: [{ seq: 0, pid: 100 }] }, rest);
};

export const lookedUp = (name: string, extra: Extra = {}): Unnumbered =>
  made(
    'dns-query',
    { questions: [{ name, type: 'A' }], asked: { address: '10.200.0.1', port: 53, name: null } },
    extra,
  );

export const requested = (host: string, extra: Extra = {}): Unnumbered =>
  made(
    'http-request',
    { method: 'GET', host, path: '/', asked: { address: '198.18.0.5', port: 443, name: host } },
    extra,
  );

export const connected = (address: string, port: number, extra: Extra = {}): Unnumbered =>
  made('connect', { family: address.includes(':') ? 'ipv6' : 'ipv4', address, port }, extra);

export const called = (call: string, input: unknown, phase: Phase = 'use'): Unnumbered => {
  const content = JSON.stringify({
    jsonrpc: '2.0',
    id: 3,
    method: 'tools/call',
    params: { name: 'x', arguments: input },
  });
  return made('message', { direction: 'to-target', isJson: true, content: { text: content } }, { phase, call });
};

export const forked = (pid: number, parent: number, extra: Extra = {}): Unnumbered =>
  made('fork', {}, { ...extra, pid, parent });

export const ended = (pid: number, parent: number, how: { code: number } | { signal: string }): Unnumbered =>
  made('exit', how, { pid, parent, phase: 'stop' });

/** `class severity rule` of what all detectors say, without the part that is common to all. */
export async function told(
  events: readonly Unnumbered[],
  context: Partial<DetectorContext> = {},
): Promise<readonly string[]> {
  return (await judged(events, context)).map(
    ({ evidenceClass, severity, rule }) => `${evidenceClass} ${severity} ${rule.replace('behaviour/', '')}`,
  );
}

export function judged(
  events: readonly Unnumbered[],
  context: Partial<DetectorContext> = {},
): Promise<readonly Finding[]> {
  return runDetectors(numbered(events), { ...sampleContext, ...context });
}
