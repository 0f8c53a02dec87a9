import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Cell } from '../../../src/engine/cell/index.ts';
import { readKnowledge } from '../../../src/instruments/analyze/interrogate/arguments/index.ts';
import { EventWindow } from '../../../src/instruments/analyze/interrogate/session/event-window.ts';
import { plantWorld, planWorld } from '../../../src/instruments/analyze/interrogate/world/index.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
} from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';
import { type Asked, askAll } from './asking.ts';

/** Servers with a root of their own are proven weak there, once honest calls have shown where it is. */

const folder = mkdtempSync('/tmp/hotcell-own-root-');
const samples = readSampleServers();
const knowledge = readKnowledge();
const longestMs = 60_000;

async function ask(id: string, arena: Arena): Promise<Asked> {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const window = new EventWindow();
  const plan = planWorld();
  await using cell = await Cell.open(policyOf(sample, 'fake'), {
    ...arena.options,
    backend: 'bwrap',
    folder: join(folder, id),
    fake: plan.fake,
    onEvents: window.add,
  });
  await using planted = await plantWorld(cell, {}, plan);
  const world = await planted.finish(cell);
  const fromNs = process.hrtime.bigint();
  const open = async () => {
    const { stdin, stdout, stderr } = await cell.spawn(commandOf(sample), { cwd: folderOf(sample) });
    stderr.resume();
    const identity = { name: 'hotcell-test', version: '1.0.0' };
    const conversation = openStdioConversation({ stdin, stdout, tap: cell.tap() }, { identity });
    await conversation.handshake();
    return conversation;
  };
  const first = await open();
  const listing = await first.list();
  let isFirst = true;
  const next = async () => {
    if (!isFirst) return open();
    isFirst = false;
    return first;
  };
  const deadlineMs = performance.now() + longestMs;
  return await askAll({
    open: next,
    cell,
    window,
    listing,
    world,
    fromNs,
    knowledge,
    seed: id,
    budget: 'standard',
    deadlineMs,
  });
}

describe('a server with a root of its own', () => {
  const arena = new Arena();
  beforeEach((context) => arena.need('bwrap', context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each([
    { id: 'traversal-prefix', proves: 'path-traversal', by: 'sibling' },
    { id: 'traversal-decoded', proves: 'path-traversal', by: 'encoded' },
    { id: 'symlink-following', proves: 'path-traversal', by: 'link' },
    { id: 'pickle-load', proves: 'deserialisation', by: 'pickle' },
  ])('$id is proven weak by $by, and its twin is not', async ({ id, proves, by }) => {
    const hostile = await ask(id, arena);
    const weak = hostile.verdicts.filter(({ isByDesign }) => !isByDesign);
    expect(weak.map((verdict) => `${verdict.class} ${verdict.payload} ${verdict.evidenceClass}`)).toContain(
      `${proves} ${by} A`,
    );
    const honest = await ask(`${id}-twin`, arena);
    expect(honest.verdicts).toEqual([]);
    expect(honest.tried.map((trial) => trial.payload)).toContain(by);
  });
});
