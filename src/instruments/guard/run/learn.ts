import type { Event } from '../../../base/event-schema.ts';
import type { FileRule, Policy } from '../../../base/policy-schema.ts';
import { type LearnFacts, learnPolicy, type Refused } from '../../../engine/policy/learn/learn.ts';
import { needOf } from '../../../engine/policy/learn/observation.ts';
import { cleanPath, isWithin } from '../../../engine/policy/paths.ts';
import { runLimits } from './effective-policy.ts';

/** The policy that one session of real use asks for. */

export interface SessionFacts extends Pick<LearnFacts, 'name' | 'folders' | 'variables' | 'peakMemoryBytes'> {
  /** The policy that held meanwhile. */
  readonly inForce: Policy;
  /** Places that the server is started from: they are added to whatever policy there is. */
  readonly own: readonly string[];
  /** Tools that were called, with how often. */
  readonly tools: ReadonlyMap<string, number>;
  readonly session: string;
}

export interface LearntSession {
  readonly policy: Policy;
  readonly refused: readonly Refused[];
}

const mostPrograms = 200;
const mostConnections = 100_000;

/** What was refused is not needed, and the gate hears of a connection before it refuses it. */
async function refusedConnections(events: AsyncIterable<Event>): Promise<ReadonlySet<unknown>> {
  const refused = new Set<unknown>();
  for await (const { source, fields } of events) {
    if (source !== 'wire' || fields.state !== 'refused') continue;
    if (refused.size < mostConnections) refused.add(fields.connection);
  }
  return refused;
}

interface Gathered {
  readonly programs: Map<string, number[]>;
}

async function* usable(
  events: AsyncIterable<Event>,
  refused: ReadonlySet<unknown>,
  { programs }: Gathered,
): AsyncGenerator<Event> {
  for await (const event of events) {
    if (event.source === 'wire' && refused.has(event.fields.connection)) continue;
    const need = needOf(event);
    if (need?.kind === 'program') {
      const path = cleanPath(need.path);
      const seen = programs.get(path) ?? [];
      if (seen.length < 5) seen.push(event.seq);
      if (programs.size < mostPrograms) programs.set(path, seen);
    }
    yield event;
  }
}

/** Programs one by one, also those that a folder of the system covers: a new one among them is drift. */
function programLines(programs: Gathered['programs'], { session, own }: SessionFacts): FileRule[] {
  return [...programs]
    .filter(([path]) => !own.some((folder) => isWithin(path, folder)))
    .map(([path, events]) => ({
      path,
      access: 'execute',
      why: 'run in a session',
      seenIn: events.map((seq) => `session:${session} event:${seq}`),
    }));
}

function withSession<T extends { seenIn?: string[] | undefined }>(lines: readonly T[], session: string): T[] {
  return lines.map((line) =>
    line.seenIn === undefined ? line : { ...line, seenIn: line.seenIn.map((id) => `session:${session} ${id}`) },
  );
}

/** `{tmp}/data` is the host's own /tmp/data where the policy shows that folder there. */
function asShown(path: string, { inForce, folders }: SessionFacts): string {
  const [, name = '', rest = ''] = /^\{(home|work|tmp)\}(.*)$/.exec(path) ?? [];
  if (name === '') return path;
  const inside = `${folders[name as 'home' | 'work' | 'tmp']}${rest}`;
  return inForce.files.some((rule) => rule.path.startsWith('/') && isWithin(inside, cleanPath(rule.path)))
    ? inside
    : path;
}

/** `readSession` is asked twice: what was refused is known only at the end. */
export async function learnSession(
  readSession: () => AsyncIterable<Event>,
  facts: SessionFacts,
): Promise<LearntSession> {
  const { inForce, session } = facts;
  const own = facts.own.map(cleanPath);
  const refusedAlready = await refusedConnections(readSession());
  const gathered: Gathered = { programs: new Map() };
  const { policy, refused } = await learnPolicy(usable(readSession(), refusedAlready, gathered), {
    name: facts.name,
    folders: facts.folders,
    variables: facts.variables,
    peakMemoryBytes: facts.peakMemoryBytes,
    peakProcesses: null,
    decoys: [],
  });
  const named = policy.files.map((rule) => ({ ...rule, path: asShown(rule.path, facts) }));
  const files = withSession(named, session).filter(({ path }) => !own.some((folder) => isWithin(path, folder)));
  const isNamed = new Set(files.filter(({ access }) => access === 'execute').map(({ path }) => path));
  const programs = programLines(gathered.programs, { ...facts, own }).filter(({ path }) => !isNamed.has(path));
  const { memoryBytes, diskBytes } = policy.limits;
  return {
    policy: {
      ...policy,
      files: [...files, ...programs],
      network: { ...policy.network, rules: withSession(policy.network.rules, session) },
      // Only memory was measured; everything else is as generous as it was.
      limits: {
        ...inForce.limits,
        ...runLimits,
        memoryBytes,
        diskBytes: Math.min(inForce.limits.diskBytes, diskBytes),
      },
      syscalls: inForce.syscalls,
      ...(facts.tools.size === 0 ? {} : { tools: toolLines(facts) }),
    },
    refused,
  };
}

function toolLines({ tools, session }: SessionFacts): NonNullable<Policy['tools']> {
  return [...tools].map(([tool, count]) => ({
    tool,
    verdict: 'allow',
    why: `called ${count === 1 ? 'once' : `${count} times`}`,
    seenIn: [`session:${session}`],
  }));
}
