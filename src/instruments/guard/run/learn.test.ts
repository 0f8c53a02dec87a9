import { describe, expect, it } from 'vitest';
import type { Event } from '../../../base/event-schema.ts';
import { policySchema } from '../../../base/policy-schema.ts';
import { tierPolicy } from '../../../engine/policy/index.ts';
import { effectivePolicy, runLimits } from './effective-policy.ts';
import { learnSession } from './learn.ts';

const own = ['/opt/server'];
const inForce = effectivePolicy(
  { policy: tierPolicy('HIGH'), isPreset: true },
  { files: [{ path: '/opt/server', access: 'execute' }] },
  { read: ['/tmp/data'], write: [], hosts: [], variables: [], limits: {} },
);

function log(...seen: readonly Partial<Event>[]): () => AsyncIterable<Event> {
  const events = seen.map(
    (event, seq) =>
      ({
        seq,
        run: 'r',
        at: { monotonicNs: '1', wall: '' },
        phase: 'use',
        source: 'notify',
        fields: {},
        ...event,
      }) as Event,
  );
  return async function* () {
    yield* events;
  };
}

const open = (path: string): Partial<Event> => ({
  kind: 'open',
  outcome: 'ok',
  fields: { path: { text: path }, access: 'read' },
});
const exec = (path: string): Partial<Event> => ({ kind: 'exec', outcome: 'ok', fields: { path: { text: path } } });
const connection = (id: number, name: string, state: string): Partial<Event> => ({
  kind: 'connection',
  source: 'wire',
  fields: { state, connection: id, asked: { name, address: '198.18.0.1', port: 443 } },
});

const facts = {
  name: 'learnt',
  folders: { home: '/home/x', work: '/home/x/project', tmp: '/tmp' },
  variables: ['API_KEY'],
  peakMemoryBytes: null,
  inForce,
  own,
  tools: new Map([['read', 2]]),
  session: 'abc',
};

describe('learnSession', () => {
  it('has what was used, and nothing of the server itself', async () => {
    const { policy } = await learnSession(
      log(open('/opt/server/index.js'), open('/srv/data/x'), exec('/usr/bin/git')),
      facts,
    );
    const paths = policy.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['/srv/data/x', '/usr', '/usr/bin/git']));
    expect(paths.filter((path) => path.startsWith('/opt'))).toEqual([]);
    expect(policySchema.safeParse(policy).success).toBe(true);
  });

  it('names the session in the evidence', async () => {
    const { policy } = await learnSession(log(open('/srv/data/x')), facts);
    expect(policy.files.find(({ path }) => path === '/srv/data/x')?.seenIn).toEqual(['session:abc event:0']);
  });

  it('knows a folder of the host that is shown inside one of the box', async () => {
    const { policy } = await learnSession(log(open('/tmp/data/x'), open('/tmp/own')), facts);
    const paths = policy.files.map(({ path }) => path);
    expect(paths).toContain('/tmp/data/x');
    expect(paths).toContain('{tmp}/own');
  });

  it('takes hosts that were reached, and none that was refused', async () => {
    const { policy } = await learnSession(
      log(
        connection(1, 'api.example', 'open'),
        connection(1, 'api.example', 'allowed'),
        connection(2, 'bad.example', 'open'),
        connection(2, 'bad.example', 'refused'),
      ),
      facts,
    );
    expect(policy.network.rules.map(({ host }) => host)).toEqual(['api.example']);
  });

  it('lists the tools that were called, and keeps the time of a session', async () => {
    const { policy } = await learnSession(log(), facts);
    expect(policy.tools).toMatchObject([{ tool: 'read', verdict: 'allow', seenIn: ['session:abc'] }]);
    expect(policy.limits).toMatchObject(runLimits);
    expect(policy.environment.map(({ name }) => name)).toContain('API_KEY');
  });
});
