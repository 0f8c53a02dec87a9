import type { Proof } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import { commandOf } from '../../../engine/sensor/history/index.ts';
import { excerpt, oneLine } from '../inspect/rule.ts';
import type { ChainFacts, ProvenCall } from './contract.ts';
import { eventDetail, eventTitle } from './event-words.ts';

/** One proof as a chain: whose it is, what was called, who acted, what was seen, and what that means. */

type Step = Proof['steps'][number];

const mostEvents = 6;
const longestTrial = 1024;

function processSteps(events: readonly Event[]): readonly Step[] {
  const seen = new Set<number>();
  return events.flatMap((event): Step[] => {
    const { process, seq } = event;
    if (process === undefined || seen.has(process.pid)) return [];
    seen.add(process.pid);
    const title = oneLine(`pid ${process.pid}, started by ${process.parent}`);
    return [{ kind: 'process', title, detail: excerpt(commandOf(event) ?? ''), event: seq }];
  });
}

function eventStep(event: Event): Step {
  return { kind: 'event', title: eventTitle(event), detail: excerpt(eventDetail(event), 1024), event: event.seq };
}

export function proofOf(finding: string, { verdict, made }: ProvenCall, { target, events }: ChainFacts): Proof {
  const input = JSON.stringify(made.input) ?? 'null';
  const seen = verdict.events.slice(0, mostEvents).flatMap((seq) => events.get(seq) ?? []);
  const steps: Step[] = [
    { kind: 'target', title: oneLine(target) || 'the target', detail: excerpt(target) },
    {
      kind: 'call',
      title: oneLine(verdict.tool.includes('/') ? verdict.tool : `tools/call ${verdict.tool}`),
      detail: excerpt(input),
    },
    ...processSteps(seen).slice(0, 4),
    ...seen.map(eventStep),
    { kind: 'effect', title: oneLine(verdict.because), detail: verdict.excerpt },
  ];
  // Resources, prompts and what a model proposed cannot be made again from the name of the trial.
  const isTool = !/^(?:resources\/read|prompts\/get )/.test(verdict.tool) && !verdict.payload.startsWith('model-');
  if (!isTool) return { finding, steps };
  return {
    finding,
    steps,
    replay: {
      kind: 'trial',
      trial: verdict.trial.slice(0, longestTrial),
      call: { tool: excerpt(verdict.tool), input: excerpt(input, 16_384) },
    },
  };
}
