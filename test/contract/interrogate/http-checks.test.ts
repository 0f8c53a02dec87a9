import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Finding } from '../../../src/base/finding-schema.ts';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { namespaceNames } from '../../../src/engine/net/index.ts';
import { bindAddressesOf, runHttpChecks } from '../../../src/instruments/analyze/interrogate/http-checks/index.ts';
import { inspectResults } from '../../../src/instruments/analyze/interrogate/results/index.ts';
import { discoverEndpoint, openHttpConversation, openRelay } from '../../../src/targets/conversation/index.ts';
import { folderOf, policyOf, preparedFolder, readSampleServers } from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';

/** Servers that listen in a box: strangers are let in by the careless ones, and by no other. */

const folder = mkdtempSync('/tmp/hotcell-http-checks-');
const samples = readSampleServers();
const identity = { name: 'cursor', version: '1.0.0' };
/** The port of samples that were told none. */
const port = 8931;

interface Told {
  readonly findings: readonly Finding[];
  readonly results: readonly Finding[];
  readonly notChecked: readonly string[];
}

async function ask(id: string, backend: BackendId, arena: Arena): Promise<Told> {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const events: Event[] = [];
  const cell = await Cell.open(policyOf(sample, 'fake'), {
    ...arena.options,
    backend,
    folder: join(folder, `${backend}-${id}`),
    onEvents: (more) => void events.push(...more),
  });
  try {
    const child = await cell.spawn(['/usr/bin/env', ...sample.start], { cwd: folderOf(sample) });
    child.stdout.resume();
    child.stderr.resume();
    const network = `/run/netns/${namespaceNames(cell.runId).box}`;
    await using relay = openRelay({ network, port });
    const { url, request } = relay;
    const endpoint = await discoverEndpoint({ identity, url, request, timeoutMs: 20_000 });
    if (endpoint === null) throw new Error(`${id} does not answer`);
    await using conversation = openHttpConversation({ url: new URL(endpoint.path, url), request }, { identity });
    await conversation.handshake();
    const { tools, resources } = await conversation.list();
    const calls = [];
    for (const { uri } of resources) {
      const result = await conversation.readResource(uri);
      calls.push({ tool: 'resources/read', input: { uri }, result, isTrial: false });
    }
    const [first] = tools.filter(({ name }) => name.startsWith('list_'));
    const { findings, notChecked } = await runHttpChecks({
      ...{ url, request, endpoint, identity, isRemote: false },
      bindAddresses: bindAddressesOf(events, port),
      ...(first === undefined ? {} : { honestCall: { tool: first.name, input: {} } }),
    });
    return { findings, results: inspectResults(calls, []), notChecked: notChecked.map(({ check }) => check) };
  } finally {
    await cell.close();
  }
}

const grave = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ rule, evidenceClass, severity }) => `${rule} ${evidenceClass} ${severity}`);

describe('a server that listens in a box', () => {
  const arena = new Arena();
  beforeEach((context) => {
    if (process.getuid?.() !== 0) context.skip('only root can enter the network of a box');
  });
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.for([
    { id: 'http-no-origin-check', backend: 'bwrap', tells: ['weakness/http-dns-rebinding A high'] },
    { id: 'http-no-origin-check', backend: 'gvisor', tells: ['weakness/http-dns-rebinding A high'] },
    { id: 'http-open-to-network', backend: 'bwrap', tells: ['weakness/http-no-authentication B high'] },
    { id: 'http-open-to-network', backend: 'gvisor', tells: ['weakness/http-no-authentication B high'] },
    { id: 'prompt-injection-in-resource', backend: 'bwrap', tells: ['behaviour/instructions-in-results B high'] },
  ] as const)('$id in $backend: $tells, and nothing of its twin', async ({ id, backend, tells }, context) => {
    await arena.need(backend, context);
    const hostile = await ask(id, backend, arena);
    expect([...grave(hostile.findings), ...grave(hostile.results)]).toEqual(tells);
    const honest = await ask(`${id}-twin`, backend, arena);
    expect([...grave(honest.findings), ...grave(honest.results)]).toEqual([]);
    // It was answered and looked at like the other.
    expect(honest.findings.map(({ rule }) => rule)).toContain('weakness/http-no-authentication');
    expect(honest.notChecked).toEqual(hostile.notChecked);
  });
});
