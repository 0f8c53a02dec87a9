import { mkdtempSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../src/base/event-schema.ts';
import { Cell } from '../../../src/engine/cell/index.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';
import { type LaunchFacts, planLaunch } from '../../../src/instruments/analyze/interrogate/start/index.ts';
import { plantWorld } from '../../../src/instruments/analyze/interrogate/world/plant.ts';
import { openStdioConversation } from '../../../src/targets/conversation/index.ts';
import { ingest } from '../../../src/targets/ingest/ingest.ts';
import { carryOut, planInstall } from '../../../src/targets/install/index.ts';
import { folderOf, preparedFolder, readSampleServers } from '../../samples/servers/sample-servers.ts';
import { Arena } from '../box/arena.ts';

/** A folder gets into a box, its install script runs there under watch, and it is started without being told how. */

const folder = mkdtempSync('/tmp/hotcell-start-');
const samples = readSampleServers();
const context = {
  cwd: folder,
  home: homedir(),
  environment: process.env,
  cacheFolder: join(folder, 'cache'),
  workFolder: join(folder, 'work'),
  isOffline: true,
};

interface Started {
  readonly serverName: string;
  readonly tools: number;
  readonly events: readonly Event[];
  readonly steps: readonly string[];
}

async function start(id: string, arena: Arena): Promise<Started> {
  const sample = samples.find((each) => each.id === id);
  if (sample === undefined) throw new Error(`no sample is called ${id}`);
  const ingested = await ingest({ kind: 'folder', path: folderOf(sample) }, context);
  const plan = await planInstall(ingested, context, { workFolder: context.workFolder });
  const events: Event[] = [];
  const policy = tierPolicy('CRITICAL');
  const cell = await Cell.open(
    { ...policy, network: { mode: 'fake', rules: [] }, limits: { ...policy.limits, wallMs: 60_000 } },
    {
      ...arena.options,
      backend: 'bwrap',
      folder: join(folder, id),
      phase: 'install',
      onEvents: (seen) => void events.push(...seen),
    },
  );
  try {
    const { installed, steps, problems } = await carryOut(plan, cell);
    expect(problems).toEqual([]);
    const { world } = await plantWorld(cell, {});
    const facts: LaunchFacts = {
      folder: ingested.folder,
      ecosystem: plan.ecosystem,
      name: ingested.resolved.name,
      installed,
      world,
      given: { environment: {}, args: [], props: [] },
      bait: (name) => `bait-${name}`,
    };
    await cell.enter('start');
    const { argv, cwd, environment } = planLaunch(facts);
    const child = await cell.spawn(argv, { cwd, environment });
    child.stderr.resume();
    const { stdin, stdout } = child;
    const identity = { name: 'hotcell-test', version: '1.0.0' };
    const conversation = openStdioConversation({ stdin, stdout, tap: cell.tap() }, { identity });
    const { serverName } = await conversation.handshake();
    const { tools } = await conversation.list();
    await conversation.close();
    return { serverName, tools: tools.length, events, steps: steps.map(({ step }) => step.what) };
  } finally {
    await cell.close();
    await plan.close();
    await ingested.close();
  }
}

describe('a folder in a box', () => {
  const arena = new Arena();
  beforeEach((test) => arena.need('bwrap', test));
  afterAll(async () => {
    await arena.close();
    rmSync(folder, { recursive: true, force: true });
    rmSync(preparedFolder, { recursive: true, force: true });
  });

  it.each([
    { id: 'postinstall-dropper', steps: ['sample-greeter postinstall'] },
    { id: 'postinstall-dropper-twin', steps: ['sample-greeter postinstall'] },
    { id: 'pickle-load-twin', steps: ['links to Python'] },
    { id: 'shell-injection-twin', steps: [] },
  ])('$id starts', async ({ id, steps }) => {
    const started = await start(id, arena);
    expect(started.steps).toEqual(steps);
    expect(started.serverName).not.toBe('');
    expect(started.tools).toBeGreaterThan(0);
    // The script ran in the box, in its own phase.
    const ran = started.events.filter(({ kind, phase }) => kind === 'exec' && phase === 'install');
    expect(ran.some((event) => JSON.stringify(event.fields).includes('install.js'))).toBe(id.startsWith('postinstall'));
  });
});
