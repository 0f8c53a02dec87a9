import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { TargetError } from '../../base/errors.ts';
import { mebibyte, minuteMs } from '../../base/limits.ts';
import type { ToolAnnotations, Toolset } from '../tools/contract.ts';
import { defineTool } from '../tools/define-tool.ts';

/** Tools for tests of the door: each does one thing that a door can get wrong. */

const reads: ToolAnnotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const limits = { timeoutMs: minuteMs, outputBytes: mebibyte };

/** What the tools did, as far as a test wants to know. */
export interface SampleTrace {
  started: number;
  aborted: number;
  ended: number;
}

export function sampleTrace(): SampleTrace {
  return { started: 0, aborted: 0, ended: 0 };
}

export function sampleToolset(trace: SampleTrace = sampleTrace()): Toolset {
  const echo = defineTool({
    name: 'echo',
    title: 'Echo',
    description: 'Says what it was given.',
    toolset: 'analyze',
    input: z.strictObject({ text: z.string().max(100_000) }),
    output: z.object({ text: z.string() }),
    annotations: reads,
    limits,
    examples: [{ input: { text: 'hello' }, says: 'hello' }],
    async handle({ text }, { out }) {
      out.say(text);
      return { text };
    },
  });
  const quote = defineTool({
    name: 'quote',
    title: 'Quote',
    description: 'Quotes text of a target.',
    toolset: 'analyze',
    input: z.strictObject({ text: z.string().max(10_000) }),
    output: z.object({ length: z.int() }),
    annotations: reads,
    limits,
    examples: [],
    async handle({ text }, { out }) {
      out.quote({ label: 'a sample', text });
      return { length: text.length };
    },
  });
  const wait = defineTool({
    name: 'wait',
    title: 'Wait',
    description: 'Waits and tells how far it is.',
    toolset: 'analyze',
    input: z.strictObject({ ms: z.int().min(0).max(60_000), steps: z.int().min(1).max(1000).default(10) }),
    output: z.object({ waitedMs: z.int() }),
    annotations: reads,
    limits,
    examples: [],
    async handle({ ms, steps }, { signal, progress }) {
      trace.started += 1;
      try {
        for (let step = 0; step < steps; step += 1) {
          progress({ phase: `step ${step}`, share: step / steps });
          await sleep(ms / steps, undefined, { signal });
        }
        trace.ended += 1;
        return { waitedMs: ms };
      } catch (error) {
        trace.aborted += 1;
        throw error;
      }
    },
  });
  const fail = defineTool({
    name: 'fail',
    title: 'Fail',
    description: 'Fails, as foreseen or not.',
    toolset: 'analyze',
    input: z.strictObject({ isForeseen: z.boolean() }),
    output: z.object({}),
    annotations: reads,
    limits,
    examples: [],
    async handle({ isForeseen }) {
      if (isForeseen) throw new TargetError('the target did not answer', { hint: 'try again' });
      throw new Error('a secret of the machine');
    },
  });
  const change = defineTool({
    name: 'change',
    title: 'Change',
    description: 'Would change something.',
    toolset: 'analyze',
    input: z.strictObject({}),
    output: z.object({ isChanged: z.boolean() }),
    annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    limits,
    examples: [],
    handle: async () => ({ isChanged: true }),
  });
  return {
    id: 'analyze',
    title: 'Sample',
    tools: [echo, quote, wait, fail, change],
    prompts: [
      {
        name: 'review',
        title: 'Review',
        description: 'How to look at it.',
        toolset: 'analyze',
        arguments: [{ name: 'what', description: 'what to look at', isRequired: true }],
        render: ({ what = '' }) => `Look at ${what}.`,
      },
    ],
    resources: [
      {
        name: 'note',
        title: 'Note',
        description: 'A note.',
        toolset: 'analyze',
        template: 'hotcell://notes/{note}',
        mimeType: 'text/plain',
        list: async () => [{ uri: 'hotcell://notes/one', title: 'One' }],
        read: async ({ note }) => (note === 'one' ? { text: 'the first note' } : null),
      },
    ],
  };
}
