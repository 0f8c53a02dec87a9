import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Cell } from '../../../src/engine/cell/index.ts';
import { readKnowledge } from '../../../src/instruments/analyze/interrogate/arguments/index.ts';
import {
  type Observe,
  type ResourceSession,
  resourceTrials,
  runResourceTrials,
} from '../../../src/instruments/analyze/interrogate/resources/index.ts';
import { inspectResults } from '../../../src/instruments/analyze/interrogate/results/index.ts';
import { EventWindow } from '../../../src/instruments/analyze/interrogate/session/event-window.ts';
import { readTrialClasses } from '../../../src/instruments/analyze/interrogate/trials/index.ts';
import { plantWorld } from '../../../src/instruments/analyze/interrogate/world/plant.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
} from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';

/** What a server hands out beside what it offers, and what it adds to what it hands out. */

const folder = mkdtempSync('/tmp/hotcell-resources-');
const samples = readSampleServers();
const identity = { name: 'cursor', version: '1.0.0' };
const settleMs = 300;

function observing(window: EventWindow): Observe {
  return async (calls) => {
    const made = [];
    for (const call of calls) {
      const fromNs = process.hrtime.bigint();
      made.push({ result: await call(), fromNs, toNs: process.hrtime.bigint() });
    }
    await delay(settleMs);
    return made.map(({ result, fromNs, toNs }) => ({ result, events: window.between(fromNs, toNs), newFiles: [] }));
  };
}

async function ask(id: string, arena: Arena): Promise<ResourceSession & { readonly told: readonly string[] }> {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const window = new EventWindow();
  const cell = await Cell.open(policyOf(sample, 'fake'), {
    ...arena.options,
    backend: 'bwrap',
    folder: join(folder, id),
    onEvents: window.add,
  });
  try {
    const { world, finish } = await plantWorld(cell, {});
    await finish(cell);
    const child = await cell.spawn(commandOf(sample), { cwd: folderOf(sample) });
    child.stderr.resume();
    const { stdin, stdout } = child;
    await using conversation = openStdioConversation({ stdin, stdout, tap: cell.tap() }, { identity });
    await conversation.handshake();
    const listing = await conversation.list();
    const options = { seed: id, knowledge: readKnowledge(), classes: readTrialClasses() };
    const trials = resourceTrials(listing, world, options);
    const deadlineMs = performance.now() + 30_000;
    const session = await runResourceTrials(conversation, trials, observing(window), { deadlineMs });
    const calls = [...session.calls];
    for (const { name, inputSchema } of listing.tools) {
      if (Object.keys((inputSchema as { properties?: object }).properties ?? {}).length > 0) continue;
      calls.push({ tool: name, input: {}, result: await conversation.call(name, {}), isTrial: false });
    }
    const findings = inspectResults(calls, [], { tools: listing.tools });
    return { ...session, told: findings.map(({ rule, evidenceClass }) => `${rule} ${evidenceClass}`) };
  } finally {
    await cell.close();
  }
}

describe('a server with resources in a box', () => {
  const arena = new Arena();
  beforeEach((context) => arena.need('bwrap', context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it('is proven to read what it does not offer, and its twin is not', async () => {
    const hostile = await ask('resource-escape', arena);
    const [first] = hostile.verdicts;
    expect(first).toMatchObject({ class: 'resource-escape', evidenceClass: 'A', tool: 'resources/read' });
    expect(first?.isByDesign).toBe(false);
    // The sensors saw the file being opened, too.
    expect(first?.events.length).toBeGreaterThan(0);
    const honest = await ask('resource-escape-twin', arena);
    expect(honest.verdicts).toEqual([]);
    expect(honest.tried).toBeGreaterThanOrEqual(hostile.tried);
    expect(honest.calls[0]?.result.outcome).toBe('answered');
    expect([...hostile.told, ...honest.told]).toEqual([]);
  });

  it('is told for control sequences in its results, and its twin is not', async () => {
    expect((await ask('ansi-bombs', arena)).told).toEqual(['behaviour/escapes-in-results C']);
    expect((await ask('ansi-bombs-twin', arena)).told).toEqual([]);
  });
});
