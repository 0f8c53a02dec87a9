import type { Event } from '../../../../base/event-schema.ts';
import { untrusted } from '../../../../base/untrusted.ts';
import type { CallResult, ListedTool } from '../../../../targets/conversation/contract.ts';
import type { World } from '../arguments/index.ts';
import { type Knowledge, positions, readKnowledge } from '../arguments/index.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import { readTrialClasses, type TrialClass } from './class-file.ts';
import type { Observed, Trial } from './contract.ts';
import { makeTrials } from './make-trials.ts';

/** What tests of trials are made of: events as sensors write them, answers as servers give them. */

export function event(
  seq: number,
  kind: Event['kind'],
  fields: Event['fields'],
  outcome: Event['outcome'] = 'ok',
): Event {
  const at = { monotonicNs: String(seq), wall: '2025-06-01T12:00:00.000Z' };
  return { seq, at, run: 'run', phase: 'attack', call: '7:tools/call', source: 'sample', kind, fields, outcome };
}

export function exec(seq: number, ...argv: readonly string[]): Event {
  return event(seq, 'exec', { path: { text: `/usr/bin/${argv[0]}` }, argv: argv.map((text) => ({ text })) });
}

export function open(
  seq: number,
  path: string,
  outcome: Event['outcome'] = 'ok',
  access = 'read',
  creates = false,
): Event {
  return event(seq, 'open', { path: { text: path }, access, creates, truncates: false, isFolder: false }, outcome);
}

export function connect(seq: number, address: string, port: number): Event {
  return event(seq, 'connect', { family: address.includes(':') ? 'ipv6' : 'ipv4', address, port }, 'failed');
}

export function httpRequest(
  seq: number,
  host: string,
  path: string,
  headers: readonly (readonly string[])[] = [],
): Event {
  const asked = { address: '198.18.4.7', port: 80, name: host };
  return event(seq, 'http-request', { method: 'GET', host, path, headers: headers.map((pair) => [...pair]), asked });
}

export function dnsQuery(seq: number, name: string): Event {
  return event(seq, 'dns-query', { over: 'udp', isReadable: true, questions: [{ name, type: 'A' }] });
}

export function answer(text: string, more: Partial<CallResult> = {}): CallResult {
  const raw = { content: [{ type: 'text', text }] };
  return { outcome: 'answered', isToolError: false, text: untrusted(text, 1 << 20), raw, durationMs: 5, ...more };
}

export function observed(more: Partial<Observed> = {}): Observed {
  return { events: [], result: answer('done'), newFiles: [], ...more };
}

export interface Bench {
  readonly knowledge: Knowledge;
  readonly classes: readonly TrialClass[];
}

export function readBench(): Bench {
  return { knowledge: readKnowledge(), classes: readTrialClasses() };
}

const text = { type: 'string' };

/** One argument for every meaning that a class may care about. */
export const everyMeaning: ListedTool = {
  name: 'everything',
  description: 'Only works within allowed directories.',
  inputSchema: {
    type: 'object',
    properties: {
      ...Object.fromEntries(
        [
          'path',
          'folder',
          'output_file',
          'url',
          'host',
          'repo',
          'branch',
          'command',
          'args',
          'code',
          'expression',
          'sql',
          'query',
          'table',
          'id',
          'name',
          'text',
          'template',
          'xml',
          'html',
          'yaml',
          'json',
          'pickle',
          'header',
          'regex',
          'email',
          'date',
          'token',
          'other',
        ].map((name) => [name, text]),
      ),
      limit: { type: 'integer' },
      mode: { enum: ['a', 'b'] },
      options: { type: 'object' },
      paths: { type: 'array', items: text },
    },
  },
};

export function trialsFor(tool: ListedTool, bench: Bench, world: World = sampleWorld): readonly Trial[] {
  return makeTrials(tool, positions(tool.inputSchema, bench.knowledge), world, 'seed', bench);
}

/** The trial with this payload at the first position that has it. */
export function trialOf(trials: readonly Trial[], kind: string, payload: string, pointer?: string): Trial {
  const found = trials.find(
    (trial) =>
      trial.class === kind &&
      trial.payload === payload &&
      (pointer ?? trial.position.pointer) === trial.position.pointer,
  );
  if (found === undefined) throw new Error(`no trial ${kind}/${payload}`);
  return found;
}
