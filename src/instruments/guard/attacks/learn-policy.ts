import type { Event } from '../../../base/event-schema.ts';
import type { Policy } from '../../../base/policy-schema.ts';
import type { BoxFolders } from '../../../engine/box/contract.ts';
import { learnPolicy } from '../../../engine/policy/index.ts';
import { needOf } from '../../../engine/policy/learn/observation.ts';
import { cleanPath, isWithin } from '../../../engine/policy/paths.ts';
import type { PreparedServer } from '../contract.ts';

/** The policy that the honest task asks for, and nothing beyond. */

export interface HonestFacts {
  readonly name: string;
  readonly folders: BoxFolders;
  readonly variables: readonly string[];
  readonly tools: readonly string[];
  readonly limits: Policy['limits'];
}

/** Where the server itself lies is added to whatever policy there is. */
function isOwn(event: Event, own: readonly string[]): boolean {
  const need = needOf(event);
  return need !== null && need.kind !== 'host' && own.some((folder) => isWithin(cleanPath(need.path), folder));
}

export async function learnHonest(
  events: readonly Event[],
  server: Pick<PreparedServer, 'files'>,
  { name, folders, variables, tools, limits }: HonestFacts,
): Promise<Policy> {
  const own = server.files.map(({ path }) => cleanPath(path));
  const foreign = events.filter((event) => !isOwn(event, own));
  const { policy } = await learnPolicy(foreign, {
    name,
    folders,
    decoys: [],
    variables,
    peakMemoryBytes: null,
    peakProcesses: null,
  });
  return {
    ...policy,
    limits,
    tools: [...new Set(tools)].map((tool) => ({ tool, verdict: 'allow', why: 'called by the honest task' })),
  };
}
