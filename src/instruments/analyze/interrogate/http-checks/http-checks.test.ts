import { afterEach, describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import { makeRequest } from '../../../../targets/conversation/index.ts';
import type { HttpTarget } from './contract.ts';
import { httpChecks, httpRules, runHttpChecks } from './index.ts';
import { type Habits, type SampleServer, startSampleServer } from './sample-http-server.ts';

const identity = { name: 'cursor', version: '1.0.0' };
const running: SampleServer[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.close();
});

async function check(habits: Habits, more: Partial<HttpTarget> = {}, limits: object = {}) {
  const server = await startSampleServer(habits);
  running.push(server);
  const { url } = server;
  const report = await runHttpChecks(
    {
      ...{ url, identity, request: makeRequest({ url }), bindAddresses: ['127.0.0.1'], isRemote: false },
      endpoint: { path: '/mcp', form: 'streamable', needsAuthorisation: false },
      honestCall: { tool: 'list_todo', input: {} },
      ...more,
    },
    { limits: { perAnswerMs: 800, ...limits } },
  );
  for (const finding of report.findings) expect(findingSchema.safeParse(finding).error).toBeUndefined();
  const told = report.findings.map(({ rule, evidenceClass, severity }) => `${rule} ${evidenceClass} ${severity}`);
  return { ...report, told, server };
}

/** What is always told of a server on loopback that wants no credential. */
const open = 'weakness/http-no-authentication D info';

describe('http checks', () => {
  it('say of a server that keeps all rules only that it wants no credential', async () => {
    const { told, notChecked, server } = await check({});
    expect(told).toEqual([open]);
    expect(notChecked).toEqual([]);
    // As somebody else it was never called.
    expect(server.calls()).toBe(0);
  });

  it.each<{ habits: Habits; tells: readonly string[] }>([
    { habits: { hostUnchecked: true, originUnchecked: true }, tells: ['weakness/http-dns-rebinding A high'] },
    // A rebound page has a foreign origin too, so either check keeps it out.
    { habits: { hostUnchecked: true }, tells: [] },
    { habits: { originUnchecked: true }, tells: ['weakness/http-foreign-origin D low'] },
    { habits: { cors: 'star' }, tells: [] },
    {
      habits: { cors: 'star', originUnchecked: true },
      tells: ['weakness/http-foreign-origin D low', 'weakness/http-cors-open A high'],
    },
    {
      habits: { cors: 'reflected', originUnchecked: true },
      tells: [
        'weakness/http-foreign-origin D low',
        'weakness/http-cors-credentials B medium',
        'weakness/http-cors-open A high',
      ],
    },
    {
      habits: { cors: 'star-with-credentials', originUnchecked: true, session: 'none' },
      tells: [
        'weakness/http-foreign-origin D low',
        'weakness/http-cors-credentials D low',
        'weakness/http-cors-open A high',
      ],
    },
    { habits: { anyContentType: true }, tells: ['weakness/http-content-type D info'] },
    // The session keeps the page out: it never learns the id.
    {
      habits: { anyContentType: true, originUnchecked: true },
      tells: ['weakness/http-foreign-origin D low', 'weakness/http-content-type D info'],
    },
    {
      habits: { anyContentType: true, originUnchecked: true, session: 'none' },
      tells: ['weakness/http-foreign-origin D low', 'weakness/http-cross-site-call A high'],
    },
    { habits: { session: 'none' }, tells: [] },
    { habits: { session: 'count' }, tells: ['weakness/http-guessable-session B medium'] },
    { habits: { session: 'short' }, tells: ['weakness/http-guessable-session B medium'] },
    { habits: { session: 'same' }, tells: ['weakness/http-guessable-session B medium'] },
    { habits: { session: 'unchecked' }, tells: ['weakness/http-unknown-session D low'] },
    { habits: { session: 'adopted' }, tells: ['weakness/http-session-fixation B low'] },
    { habits: { trace: true }, tells: ['weakness/http-trace D low'] },
    { habits: { anyMethod: true }, tells: ['weakness/http-methods D info'] },
    { habits: { anyVersion: true }, tells: ['weakness/http-any-version D info'] },
    { habits: { stack: true }, tells: ['weakness/http-stack-trace D info'] },
    { habits: { noBodyLimit: true }, tells: ['weakness/http-no-body-limit D info'] },
    { habits: { sse: 'guarded' }, tells: [] },
    { habits: { sse: 'unguarded' }, tells: ['weakness/http-older-form-unguarded A high'] },
  ])('tell $tells of $habits', async ({ habits, tells }) => {
    const { told } = await check(habits);
    expect(told.filter((line) => line !== open)).toEqual(tells);
    expect(told).toContain(open);
  });

  it('prove a rebinding by a call that was carried out', async () => {
    const { findings, server } = await check({ hostUnchecked: true, originUnchecked: true });
    const finding = findings.find(({ rule }) => rule === httpRules.rebinding.id);
    const shown = JSON.stringify(finding?.evidence);
    expect(shown).toContain('rebound.example');
    expect(shown).toContain('tools/call');
    expect(shown).toContain('water the plants');
    expect(server.calls()).toBe(1);
  });

  it('look at the older form as at any other', async () => {
    const endpoint = { path: '/sse', form: 'sse', needsAuthorisation: false } as const;
    const { told, findings } = await check({ sse: 'unguarded' }, { endpoint });
    expect(told).toContain('weakness/http-dns-rebinding A high');
    expect(JSON.stringify(findings)).toContain('water the plants');
    expect((await check({ sse: 'guarded' }, { endpoint })).told).toEqual([open]);
  });

  it.each([
    { bindAddresses: ['0.0.0.0'], tells: 'weakness/http-no-authentication B high' },
    { bindAddresses: ['::'], tells: 'weakness/http-no-authentication B high' },
    { bindAddresses: ['127.0.0.1', '192.168.1.2'], tells: 'weakness/http-no-authentication B high' },
    { bindAddresses: ['127.0.0.1', '::1'], tells: open },
    { bindAddresses: [], tells: open },
  ])('tell $tells where it is bound to $bindAddresses', async ({ bindAddresses, tells }) => {
    const { told, notChecked } = await check({}, { bindAddresses });
    expect(told).toEqual([tells]);
    expect(notChecked.map(({ check: id }) => id)).toEqual(bindAddresses.length === 0 ? ['authentication'] : []);
  });

  it('tell nothing of a server that wants a credential', async () => {
    const habits = { token: 'secret-of-the-user', hostUnchecked: true, originUnchecked: true, cors: 'star' } as const;
    const { told, notChecked } = await check(habits, { bindAddresses: ['0.0.0.0'] });
    expect(told).toEqual([]);
    const reasons = new Map(notChecked.map(({ check: id, because }) => [id, because]));
    for (const id of ['rebinding', 'cross-site', 'session-ids']) expect(reasons.get(id)).toMatch(/wants a credential/);
  });

  it('ask without the credential of the user', async () => {
    const server = await startSampleServer({ token: 'secret-of-the-user' });
    running.push(server);
    const { url } = server;
    const request = makeRequest({ url, headers: { authorization: 'Bearer secret-of-the-user' } });
    const { told, findings } = await check({}, { url, request, anonymous: makeRequest({ url }) });
    expect(told).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain('secret-of-the-user');
  });

  it('do only what is gentle to a remote server', async () => {
    const { told, notChecked, requests } = await check(
      { hostUnchecked: true, originUnchecked: true, noBodyLimit: true },
      { isRemote: true },
      { gapMs: 1 },
    );
    expect(told).toEqual([open, 'weakness/http-dns-rebinding A high']);
    expect(notChecked).toEqual([{ check: 'body-limit', because: 'not done to a server of somebody else' }]);
    expect(requests).toBeLessThan(80);
  });

  it.each<{ habits: Habits }>([{ habits: { always: 500 } }, { habits: { always: 302 } }, { habits: { always: 200 } }])(
    'tell nothing of a server that is none: $habits',
    async ({ habits }) => {
      const { told, notChecked } = await check(habits);
      expect(told).toEqual([]);
      expect(notChecked).toContainEqual({ check: 'rebinding', because: 'it does not serve a plain client' });
    },
  );

  it('end in time with a server that never answers, and say what was left', async () => {
    const { told, notChecked } = await check({ silent: true }, {}, { perAnswerMs: 100, wholeMs: 1000 });
    expect(told).toEqual([]);
    expect(notChecked.map(({ check: id }) => id)).toEqual(httpChecks.map(({ id }) => id));
  });

  it('stop at the number of requests, and say what was left', async () => {
    const { notChecked, server } = await check({}, {}, { requests: 5 });
    expect(server.requests()).toBeLessThanOrEqual(5);
    expect(notChecked.length).toBeGreaterThan(8);
  });
});
