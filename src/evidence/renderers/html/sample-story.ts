import { phases } from '../../../base/event-schema.ts';
import type { Story } from '../../story/index.ts';

/** A story with as much of everything as is asked for, for tests. */

export interface Amounts {
  readonly calls: number;
  readonly processes: number;
  readonly files: number;
  readonly hosts: number;
}

const runMs = 40_000;
const kinds = ['honest', 'trial', 'other'] as const;
const sorts = ['other', 'own', 'system', 'decoy'] as const;
const accesses = ['read', 'write', 'remove'] as const;

function pick<T>(list: readonly [T, ...T[]], at: number): T {
  return list[at % list.length] ?? list[0];
}

export function busyStory({ calls, processes, files, hosts }: Amounts): Story {
  const each = runMs / phases.length;
  const momentOf = (at: number, of: number): number => Math.round((at / of) * runMs);
  return {
    phases: phases.map((phase, at) => ({ phase, fromMs: at * each, toMs: (at + 1) * each })),
    calls: Array.from({ length: calls }, (_, at) => ({
      id: `${at}:tools/call:add_note`,
      kind: pick(kinds, at),
      phase: pick(phases, at),
      tool: { text: `add_note_${at % 40}` },
      fromMs: momentOf(at, calls),
      toMs: momentOf(at, calls) + 7,
      outcome: at % 50 === 49 ? 'unanswered' : 'answered',
    })),
    processes: Array.from({ length: processes }, (_, at) => ({
      pid: at + 2,
      parent: at === 0 ? null : Math.floor(at / 2) + 1,
      name: { text: 'node' },
      argv: [{ text: '/usr/bin/node' }, { text: '-e' }, { text: `console.log(${at}) // ${'long '.repeat(12)}` }],
      phase: pick(phases, at),
      fromMs: momentOf(at, processes),
      toMs: at % 7 === 6 ? null : momentOf(at, processes) + 900,
    })),
    files: Array.from({ length: files }, (_, at) => ({
      path: { text: `/home/priya/project/${'folder/'.repeat(1 + (at % 6))}file-${at}.txt` },
      access: pick(accesses, at),
      is: pick(sorts, at),
      count: 1 + (at % 9),
      phase: pick(phases, at),
      firstMs: momentOf(at, files),
      event: at,
    })),
    hosts: Array.from({ length: hosts }, (_, at) => ({
      host: { text: `host-${at}.example` },
      ports: [443],
      protocols: ['dns', 'https'],
      requests: at * at,
      phases: [pick(phases, at)],
      firstMs: momentOf(at, hosts),
      isDeclared: at % 3 === 0,
      leaks: at % 17 === 1 ? 2 : 0,
      events: [at],
    })),
    leftOut: {},
  };
}
