import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Cell } from '../../../src/engine/cell/index.ts';
import { readKnowledge } from '../../../src/instruments/analyze/interrogate/arguments/index.ts';
import type { Interrogation } from '../../../src/instruments/analyze/interrogate/session/contract.ts';
import { EventWindow } from '../../../src/instruments/analyze/interrogate/session/event-window.ts';
import { Session } from '../../../src/instruments/analyze/interrogate/session/session.ts';
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

/** A weak server is proven weak by what the world shows, and its honest twin is asked the same and shows nothing. */

const folder = mkdtempSync('/tmp/hotcell-session-');
const samples = readSampleServers();
const knowledge = readKnowledge();
const longestMs = 40_000;

async function interrogate(id: string, arena: Arena): Promise<Interrogation> {
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
    const identity = { name: 'hotcell-test', version: '1.0.0' };
    const conversation = openStdioConversation({ stdin, stdout, tap: cell.tap() }, { identity });
    await conversation.handshake();
    await cell.enter('list');
    const listing = await conversation.list();
    const until = performance.now() + longestMs;
    const session = new Session(conversation, cell, window, {
      budget: 'standard',
      seed: id,
      knowledge,
      useUntilMs: until,
      attackUntilMs: until,
      signal: new AbortController().signal,
      reopen: () => Promise.resolve(null),
    });
    const result = await session.run(listing, world);
    await conversation.close();
    return result;
  } finally {
    await cell.close();
  }
}

describe('an interrogation', () => {
  const arena = new Arena();
  beforeEach((context) => arena.need('bwrap', context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each([
    { id: 'shell-injection', proves: 'command-injection' },
    { id: 'shell-injection-fake-guard', proves: 'command-injection' },
    { id: 'git-argument-injection', proves: 'argument-injection' },
    { id: 'sql-injection', proves: 'sql-injection' },
    { id: 'eval-javascript', proves: 'code-eval' },
  ])('proves $proves of $id, and nothing of its twin', async ({ id, proves }) => {
    const hostile = await interrogate(id, arena);
    const proven = hostile.proven.filter(({ verdict }) => !verdict.isByDesign);
    expect(proven.map(({ verdict }) => verdict.class)).toContain(proves);
    const best = proven.find(({ verdict }) => verdict.class === proves);
    expect(best).toMatchObject({ verdict: { evidenceClass: 'A' }, isConfirmed: true });
    const honest = await interrogate(`${id}-twin`, arena);
    expect(honest.proven).toEqual([]);
    expect(honest.made.length).toBeGreaterThanOrEqual(hostile.made.length - hostile.proven.length);
    // What was honest was answered, so silence is not that of a server which never did anything.
    const answers = honest.tools.flatMap(({ honest: calls }) => calls.map(({ result }) => result.outcome));
    expect(answers).toContain('answered');
  });
});
