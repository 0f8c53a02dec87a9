import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/base/event-schema.ts';
import type { Finding } from '../../../src/base/finding-schema.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { runDetectors } from '../../../src/evidence/detectors/index.ts';
import {
  type CrashedCall,
  declaredHosts,
  gatherMessageFaults,
  type HonestAnswer,
  protocolFindings,
  toolBehaviour,
} from '../../../src/instruments/analyze/judge/index.ts';
import type { Handshake, Listing } from '../../../src/targets/conversation/contract.ts';
import { type DrivenConversation, openStdioConversation } from '../../../src/targets/conversation/index.ts';
import {
  commandOf,
  folderOf,
  policyOf,
  preparedFolder,
  readSampleServers,
  type SampleServer,
} from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';

/** What a sample does in a cell is named for what it is; its twin does the same work and is named for nothing. */

const folder = mkdtempSync('/tmp/hotcell-behaviour-');
const samples = readSampleServers();
const callTimeoutMs = 8000;
const settleMs = 1500;
const severe = new Set<Finding['severity']>(['medium', 'high', 'critical']);

interface Talk {
  readonly handshake: Handshake | null;
  readonly listing: Listing | null;
  readonly answers: readonly HonestAnswer[];
  readonly crashes: readonly CrashedCall[];
  readonly counts: DrivenConversation['counts'];
}

async function install(cell: Cell, sample: SampleServer): Promise<void> {
  const child = await cell.spawn(['/usr/bin/env', ...(sample.install ?? [])], { cwd: folderOf(sample) });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  await child.exited;
}

async function talk(cell: Cell, sample: SampleServer): Promise<Talk> {
  const child = await cell.spawn(commandOf(sample), { cwd: folderOf(sample) });
  child.stderr.resume();
  const identity = { name: sample.needs.client ?? 'hotcell-test', version: '1.0.0' };
  const { stdin, stdout } = child;
  const conversation = openStdioConversation(
    { stdin, stdout, tap: cell.tap() },
    { identity, timeoutMs: callTimeoutMs },
  );
  await cell.enter('handshake');
  const handshake = await conversation.handshake();
  await cell.enter('list');
  const listing = await conversation.list();
  await cell.enter('use');
  const answers: HonestAnswer[] = [];
  const crashes: CrashedCall[] = [];
  const { tool, example } = sample.trigger;
  for (let callNumber = 1; tool !== null && callNumber <= (sample.needs.calls ?? 1); callNumber += 1) {
    const result = await conversation.call(tool, example, callTimeoutMs);
    answers.push({ kind: 'tool', name: tool, callNumber, result });
    if (result.outcome === 'gone') crashes.push({ tool, during: 'honest', callNumber });
  }
  await cell.enter('idle');
  await delay(settleMs);
  await cell.enter('stop');
  await conversation.close();
  return { handshake, listing, answers, crashes, counts: conversation.counts };
}

async function judge(id: string, arena: Arena): Promise<readonly Finding[]> {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const policy = policyOf(sample, 'fake');
  const events: Event[] = [];
  const cell = await Cell.open(
    { ...policy, limits: { ...policy.limits, ...sample.needs.limits } },
    {
      ...arena.options,
      backend: 'bwrap',
      folder: join(folder, id),
      phase: sample.install === undefined ? 'start' : 'install',
      onEvents: (fresh) => {
        for (const event of fresh) events.push(event);
      },
    },
  );
  const { folders } = cell.box;
  let talked: Talk;
  try {
    if (sample.install !== undefined) {
      await install(cell, sample);
      await cell.enter('start');
    }
    talked = await talk(cell, sample);
  } finally {
    await cell.close();
  }
  const { handshake, listing, answers, crashes, counts } = talked;
  const own = folderOf(sample);
  const declared = await declaredHosts({
    folder: own,
    given: [],
    ...(handshake?.instructions === undefined ? {} : { instructions: handshake.instructions }),
    ...(listing === null ? {} : { listing }),
  });
  const found = await runDetectors(events, {
    folders,
    ownFolders: [own],
    declaredHosts: declared,
    registryHosts: [],
    trialHosts: [],
    givenPaths: [],
    argv: commandOf(sample),
  });
  const { findings } = await toolBehaviour(events, listing?.tools ?? [], { tmp: folders.tmp, ownFolders: [own] });
  const faults = await gatherMessageFaults(events);
  return [...found, ...findings, ...protocolFindings({ handshake, listing, counts, answers, crashes, faults })];
}

function shortly({ evidenceClass, rule }: Finding): string {
  return `${evidenceClass} ${rule}`;
}

describe('behaviour in a cell', () => {
  const arena = new Arena();
  beforeEach((context) => arena.need('bwrap', context));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each([
    {
      id: 'ssh-key-on-start',
      rules: ['A behaviour/canary-left', 'B behaviour/decoy-read', 'C behaviour/undeclared-host'],
    },
    { id: 'ssh-key-on-tenth-call', rules: ['A behaviour/canary-left'] },
    { id: 'aws-key-for-cursor', rules: ['A behaviour/canary-left'] },
    { id: 'ssh-key-by-dns', rules: ['A behaviour/canary-left'] },
    { id: 'key-in-gzip-header', rules: ['A behaviour/canary-left'] },
    { id: 'key-in-tool-result', rules: ['A behaviour/canary-left'] },
    { id: 'unpacks-payload', rules: ['C behaviour/undeclared-host'] },
    { id: 'persistence-bashrc', rules: ['B behaviour/persistence'] },
    { id: 'leaves-daemon', rules: ['C behaviour/left-running'] },
    { id: 'postinstall-dropper', rules: ['B behaviour/persistence', 'C behaviour/install-contact'] },
    { id: 'fork-bomb', rules: ['B behaviour/process-storm', 'C behaviour/resource-exhaustion'] },
    { id: 'answers-200mb', rules: ['B protocol/oversized-message'] },
    { id: 'huge-schema', rules: ['B protocol/oversized-message'] },
    { id: 'floods-stdout', rules: ['B protocol/flood'] },
    { id: 'invalid-json', rules: ['C protocol/broken-message'] },
    { id: 'hangs-in-call', rules: ['U protocol/no-answer'] },
    { id: 'crashes-on-third-call', rules: ['C protocol/crash'] },
  ])('$id: $rules, and nothing of its twin', async ({ id, rules }) => {
    const [hostile, twin] = await Promise.all([judge(id, arena), judge(`${id}-twin`, arena)]);
    expect(hostile.map(shortly)).toEqual(expect.arrayContaining(rules));
    expect(twin.filter(({ severity }) => severe.has(severity)).map(({ title }) => title)).toEqual([]);
  });
});
