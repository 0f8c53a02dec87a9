import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Cell } from '../../../src/engine/cell/index.ts';
import { positionsOf, readKnowledge, withValue } from '../../../src/instruments/analyze/interrogate/arguments/index.ts';
import {
  createModel,
  proposedInputs,
  proposedTrials,
} from '../../../src/instruments/analyze/interrogate/model/index.ts';
import { messageWith, StandIn, sendJson } from '../../../src/instruments/analyze/interrogate/model/stand-in.ts';
import { EventWindow } from '../../../src/instruments/analyze/interrogate/session/event-window.ts';
import { judgeTrial, readTrialClasses } from '../../../src/instruments/analyze/interrogate/trials/index.ts';
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

/** What a model proposes is tried in a box and proven by the world, or not at all. The model is a stand-in on loopback. */

const folder = mkdtempSync('/tmp/hotcell-model-');
const knowledge = readKnowledge();
const settleMs = 500;

const proposal = {
  tool: 'shout',
  honest: [{ text: 'good morning' }],
  hostile: [
    { parameter: 'text', class: 'command-injection', value: 'a$(echo b > /dev/null\n{{marker_command}})' },
    { parameter: 'text', class: 'command-injection', value: '{{marker_command}}' },
    { parameter: 'text', class: 'command-injection', value: '$(id)' },
  ],
};

async function interrogate(id: string, arena: Arena, standIn: StandIn) {
  const sample = readSampleServers().find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const window = new EventWindow();
  const cell = await Cell.open(policyOf(sample, 'fake'), {
    ...arena.options,
    ...{ backend: 'bwrap' as const, folder: join(folder, id), onEvents: window.add },
  });
  try {
    const { world, finish } = await plantWorld(cell, {});
    await finish(cell);
    const child = await cell.spawn(commandOf(sample), { cwd: folderOf(sample) });
    child.stderr.resume();
    const identity = { name: 'hotcell-test', version: '1.0.0' };
    const conversation = openStdioConversation(
      { stdin: child.stdin, stdout: child.stdout, tap: cell.tap() },
      { identity },
    );
    await conversation.handshake();
    const { tools } = await conversation.list();
    const model = createModel({ service: 'anthropic', url: standIn.url, key: 'sk-none', knowledge });
    const { proposals, problems } = await model.propose(tools, new AbortController().signal);
    const hints = { knowledge, classes: readTrialClasses() };
    const trials = tools.flatMap(
      (tool) => proposedTrials(proposals, tool, positionsOf(tool, knowledge), world, id, hints).trials,
    );
    await cell.enter('attack');
    const verdicts = [];
    for (const trial of trials) {
      const [honest] = proposedInputs(proposals, trial.tool, world);
      const fromNs = process.hrtime.bigint();
      const result = await conversation.call(
        trial.tool,
        withValue(honest?.input ?? {}, trial.position, trial.value),
        5000,
      );
      await delay(settleMs);
      const events = window.between(fromNs, process.hrtime.bigint());
      verdicts.push(judgeTrial(trial, { events, result, newFiles: [] }));
    }
    await conversation.close();
    return { problems, verdicts };
  } finally {
    await cell.close();
  }
}

describe('a model', () => {
  const arena = new Arena();
  let standIn: StandIn | undefined;
  beforeEach((context) => arena.need('bwrap', context));
  afterEach(() => standIn?.close());
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it('finds a way past a guard that is then proven, and nothing of the twin', async () => {
    standIn = await StandIn.listen((response) => sendJson(response, messageWith({ proposals: [proposal] })));
    const hostile = await interrogate('shell-injection-fake-guard', arena, standIn);
    expect(hostile.problems).toEqual(['1 proposals of the model had no placeholder, so nothing could prove them']);
    expect(hostile.verdicts).toEqual([
      expect.objectContaining({ class: 'command-injection', evidenceClass: 'A', oracle: 'exec-marker' }),
    ]);
    const honest = await interrogate('shell-injection-fake-guard-twin', arena, standIn);
    expect(honest.verdicts).toEqual([null]);
    expect(standIn.received.every(({ body }) => body.includes('Writes a text in capitals'))).toBe(true);
  });
});
