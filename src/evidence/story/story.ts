import type { Analysis } from '../../base/analysis-schema.ts';
import type { Event } from '../../base/event-schema.ts';
import { CallSpans } from './calls.ts';
import { Clock } from './clock.ts';
import type { StoryFacts } from './facts.ts';
import { FileUses } from './files.ts';
import { HostUses } from './hosts.ts';
import { PhaseSpans } from './phases.ts';
import { ProcessSpans } from './processes.ts';

export type Story = Pick<Analysis, 'phases' | 'calls' | 'processes' | 'files' | 'hosts' | 'leftOut'>;

/** What a run looks like from afar, from its events in the order of the log. Memory has a limit however long that is. */
export async function tellStory(events: AsyncIterable<Event> | Iterable<Event>, facts: StoryFacts): Promise<Story> {
  const clock = new Clock();
  const phases = new PhaseSpans();
  const calls = new CallSpans();
  const processes = new ProcessSpans();
  const fileUses = new FileUses(facts);
  const hostUses = new HostUses(facts);
  const parts = [phases, calls, processes, fileUses, hostUses];
  for await (const event of events) {
    const ms = clock.at(event);
    for (const part of parts) part.see(event, ms);
  }
  const { files, leftOut: untoldFiles } = fileUses.end();
  const { hosts, leftOut: untoldHosts } = hostUses.end();
  const counts = {
    phases: phases.leftOut,
    calls: calls.leftOut,
    processes: processes.leftOut,
    files: untoldFiles,
    hosts: untoldHosts,
  };
  return {
    phases: phases.end(clock.lastMs),
    calls: calls.end(clock.lastMs),
    processes: processes.end(),
    files,
    hosts,
    leftOut: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
  };
}
