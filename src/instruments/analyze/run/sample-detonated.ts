import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Completeness, Event } from '../../../base/event-schema.ts';
import { makeHome } from '../../../engine/decoy/index.ts';
import { eventFileName } from '../../../engine/sensor/history/index.ts';
import { sampleListing } from '../../../targets/listings/sample-listing.ts';
import { sampleWorld } from '../interrogate/arguments/sample-world.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';

/** A run for tests that went well and showed nothing. */

export const sampleSensor: Completeness = {
  source: 'tap',
  attachedBeforeExec: true,
  received: 1,
  dropped: 0,
  merged: 0,
  truncated: 0,
  missingPoints: [],
  heartbeats: { expected: 0, seen: 0 },
};

export function sampleDetonated(more: Partial<Detonated> = {}): Detonated {
  return {
    run: 'run',
    backend: 'bwrap',
    folders: { home: '/home/sam', work: '/home/sam/project', tmp: '/tmp' },
    home: makeHome({ seed: 'sample', now: new Date('2026-01-01T00:00:00.000Z') }),
    world: sampleWorld,
    installed: { folder: '/opt/target', programs: [] },
    installProblems: [],
    registryHosts: [],
    start: { isStarted: true, transport: 'stdio', argv: [{ text: 'node' }], because: [], attempts: 1 },
    launch: {
      argv: ['node', 'server.js'],
      cwd: '/opt/target',
      environment: {},
      transport: 'stdio',
      props: [],
      isConfined: false,
      because: [],
    },
    handshake: { protocolVersion: '1', serverName: 'sample', serverVersion: '1', capabilities: {}, problems: [] },
    listing: sampleListing(),
    listings: [],
    otherListings: [],
    differences: [],
    variants: [],
    tools: [],
    otherCalls: [],
    resourceCalls: [],
    made: [],
    proven: [],
    notTried: [],
    crashes: [],
    counts: null,
    findings: [],
    missing: [],
    phases: ['install', 'start', 'handshake', 'list', 'use', 'attack', 'idle', 'stop'],
    completeness: { run: 'run', isComplete: true, sensors: [sampleSensor], capture: null },
    ...more,
  };
}

/** The log of a run in a folder of its own. */
export function writeEvents(folder: string, events: readonly Event[]): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, eventFileName), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return folder;
}
