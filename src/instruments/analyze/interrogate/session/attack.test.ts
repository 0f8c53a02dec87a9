import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../base/event-schema.ts';
import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { honestInputs, readKnowledge } from '../arguments/index.ts';
import { sampleWorld } from '../arguments/sample-world.ts';
import type { Trial } from '../trials/index.ts';
import { answer, exec, open } from '../trials/sample-observed.ts';
import { AttackRun, createdPaths } from './attack.ts';
import type { SessionOptions, ToolSession } from './contract.ts';
import { EventWindow } from './event-window.ts';
import { Line } from './line.ts';
import { type Answering, type Asked, SampleConversation } from './sample-conversation.ts';

const knowledge = readKnowledge();
const ground = { worldOf: () => sampleWorld, likely: [] };

function toolNamed(name: string, parameter = 'text'): ListedTool {
  const properties = { [parameter]: { type: 'string' } };
  return { name, inputSchema: { type: 'object', properties, required: [parameter] } };
}

function usedBefore(tool: ListedTool): ToolSession {
  const [input] = honestInputs(tool, sampleWorld, { seed: 'seed', knowledge, mostInputs: 1 });
  if (input === undefined) throw new Error('a tool has an honest input');
  return { tool, honest: [{ input, result: answer('done'), fromNs: 0n, toNs: 0n }] };
}

interface Scene {
  readonly tools?: readonly ListedTool[];
  readonly answering?: Answering;
  readonly options?: Partial<SessionOptions>;
  readonly conversation?: SampleConversation;
}

function setUp({ tools = [toolNamed('a')], answering, options, conversation }: Scene) {
  const window = new EventWindow();
  const server = conversation ?? new SampleConversation(answering);
  const all: SessionOptions = {
    budget: 'quick',
    seed: 'seed',
    knowledge,
    useUntilMs: Number.POSITIVE_INFINITY,
    attackUntilMs: Number.POSITIVE_INFINITY,
    signal: new AbortController().signal,
    reopen: () => Promise.resolve(null),
    ...options,
  };
  const run = new AttackRun(new Line(server, all.reopen), window, all, tools.map(usedBefore));
  return { run, window, server };
}

let seq = 0;

/** As if a sensor had seen it just now. */
function now(event: Event): Event {
  seq += 1;
  return { ...event, seq, at: { ...event.at, monotonicNs: String(process.hrtime.bigint()) } };
}

const words = (input: unknown): string => Object.values(input as Record<string, unknown>).join(' ');

/** What a shell makes of `$(touch PLACE/hcNUMBER)`: the number is computed. */
function touchedBy(input: unknown): string | null {
  const found = /\$\(touch (\S+)\/hc\$\(\((\d+)\*(\d+)\)\)\)/.exec(words(input));
  return found === null ? null : `${found[1]}/hc${Number(found[2]) * Number(found[3])}`;
}

/** A server whose tools hand their argument to a shell, where `isWeak` says so. */
function shellServer(window: () => EventWindow, isWeak: (asked: Asked, time: number) => boolean) {
  let times = 0;
  return new SampleConversation((asked) => {
    const path = touchedBy(asked.input);
    if (path === null) return 'done';
    times += 1;
    if (isWeak(asked, times)) window().add([now(exec(0, 'touch', path)), now(open(0, path, 'ok', 'write', true))]);
    return 'done';
  });
}

function weakScene(isWeak: (asked: Asked, time: number) => boolean, more: Scene = {}) {
  const holder: { window?: EventWindow } = {};
  const conversation = shellServer(() => holder.window ?? new EventWindow(), isWeak);
  const scene = setUp({ ...more, conversation });
  holder.window = scene.window;
  return scene;
}

describe('a hit', () => {
  it('is tried again with other markers, and then stands confirmed', async () => {
    const told: string[] = [];
    const { run, server } = weakScene(() => true, { options: { onVerdict: ({ trial }) => void told.push(trial) } });
    const { proven, made } = await run.make(ground);
    expect(proven).toMatchObject([{ isConfirmed: true, verdict: { class: 'command-injection', evidenceClass: 'A' } }]);
    expect(told).toEqual([proven[0]?.verdict.trial]);
    const same = made.filter(({ trial }) => trial.id === told[0]);
    expect(same).toHaveLength(2);
    const marks = server.asked.map(({ input }) => touchedBy(input)).filter((mark) => mark !== null);
    expect(new Set(marks).size).toBe(marks.length);
  });

  it('stands unconfirmed where it happens once and its marker is its own', async () => {
    const { run } = weakScene((_, time) => time === 1);
    const { proven } = await run.make(ground);
    expect(proven).toMatchObject([{ isConfirmed: false, verdict: { class: 'command-injection' } }]);
  });

  it('is dropped where it happens once and others may have brought it about', async () => {
    let times = 0;
    const { run, window, server } = setUp({
      tools: [toolNamed('a', 'path')],
      options: { isConfined: true },
      answering: ({ input }) => {
        if (words(input) === sampleWorld.outsideFile) {
          times += 1;
          // Opened, yet nothing of it comes back: only the place tells.
          if (times === 1) window.add([now(open(0, sampleWorld.outsideFile))]);
        }
        return 'done';
      },
    });
    const { proven } = await run.make(ground);
    expect(times).toBeGreaterThanOrEqual(2);
    expect(server.asked.length).toBeGreaterThan(2);
    expect(proven).toEqual([]);
  });

  it('is none where events are those of the time before', async () => {
    const { run, window } = setUp({ tools: [toolNamed('a', 'path')], options: { isConfined: true } });
    window.add([now(open(0, sampleWorld.outsideFile))]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await run.make(ground)).proven).toEqual([]);
  });

  it('ends the trials of its position, and of no other', async () => {
    const tools = [toolNamed('a'), toolNamed('b')];
    const weak = weakScene(({ tool }) => tool === 'a', { tools });
    const { made, notTried } = await weak.run.make(ground);
    const count = (tool: string) =>
      new Set(made.filter(({ trial }) => trial.tool === tool).map((m) => m.trial.id)).size;
    const sound = weakScene(() => false, { tools });
    const all = await sound.run.make(ground);
    expect(count('b')).toBe(all.made.filter(({ trial }) => trial.tool === 'b').length);
    // Calls take no time here, so that rounds are over before a verdict is there; nothing is lost on the way.
    expect(count('a')).toBeLessThanOrEqual(count('b'));
    expect(notTried.length).toBe(all.notTried.length);
  });

  it('ends the trials of its position once it is known', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 160));
    const { run, server } = weakScene(() => true);
    const call = server.call.bind(server);
    server.call = async (tool, input) => {
      await pause();
      return call(tool, input);
    };
    const { made, proven } = await run.make(ground);
    const tried = new Set(made.map(({ trial }) => trial.id));
    expect(proven).toHaveLength(1);
    expect(tried.size).toBeLessThan(6);
  });
});

describe('the order of trials', () => {
  it('is readers before writers, whatever they score', async () => {
    const { run, server } = setUp({ tools: [toolNamed('write_file', 'path'), toolNamed('look', 'text')] });
    await run.make(ground);
    const names = server.asked.map(({ tool }) => tool);
    expect(names.lastIndexOf('look')).toBeLessThan(names.indexOf('write_file'));
    expect(names).toContain('write_file');
  });

  it('tells how many were made of how many', async () => {
    const told: [number, number][] = [];
    const { run } = setUp({ options: { onTrials: (...counts) => void told.push(counts) } });
    const { made } = await run.make(ground);
    expect(told.map(([count]) => count)).toEqual(made.map((_, at) => at + 1));
    expect(new Set(told.map(([, planned]) => planned))).toEqual(new Set([6]));
  });
});

describe('what is not tried', () => {
  it('is the rest of a tool that did not answer twice', async () => {
    const { run, server } = setUp({
      tools: [toolNamed('hangs'), toolNamed('b')],
      answering: ({ tool }) => (tool === 'hangs' ? answer('', { outcome: 'timeout' }) : 'done'),
    });
    const { made, notTried } = await run.make(ground);
    expect(server.asked.filter(({ tool }) => tool === 'hangs')).toHaveLength(2);
    expect(made.filter(({ trial }) => trial.tool === 'b')).toHaveLength(6);
    const left = notTried.filter(({ tool, reason }) => tool === 'hangs' && reason === 'over-budget');
    const other = notTried.filter(({ tool, reason }) => tool === 'b' && reason === 'over-budget');
    expect(left.length).toBe(other.length + 4);
  });

  it.each<readonly [string, Partial<SessionOptions>]>([
    ['the run was ended', { signal: AbortSignal.abort() }],
    ['there is no time', { attackUntilMs: 0 }],
  ])('is everything where %s', async (_, options) => {
    const { run, server } = setUp({ options });
    const { made, notTried, proven } = await run.make(ground);
    expect(server.asked).toEqual([]);
    expect([made, proven]).toEqual([[], []]);
    expect(notTried.filter(({ reason }) => reason === 'over-budget').length).toBeGreaterThanOrEqual(6);
  });

  it('is everything after the fifth crash', async () => {
    let reopened = 0;
    const dying = () => new SampleConversation(() => answer('', { outcome: 'gone' }));
    const { run } = setUp({
      conversation: dying(),
      options: {
        reopen: () => {
          reopened += 1;
          return Promise.resolve(dying());
        },
      },
    });
    const { made } = await run.make(ground);
    expect(reopened).toBe(4);
    expect(made).toHaveLength(5);
    expect(run.crashes.map(({ during, trial }) => [during, trial])).toEqual(
      made.map(({ trial }) => ['trial', trial.id]),
    );
  });
});

describe('a trial alone', () => {
  const only = 'exhaustion/letters a/regex';
  const find = (made: readonly { readonly trial: Trial }[]) => made.map(({ trial }) => trial.id);

  it('is the one that is asked for', async () => {
    const { run } = setUp({ tools: [toolNamed('a', 'regex')], options: { only } });
    const { made, notTried } = await run.make(ground);
    expect(find(made)).toEqual([only]);
    expect(notTried).toEqual([]);
  });

  it('is none where there is none of that name', async () => {
    const { run, server } = setUp({ options: { only: 'exhaustion/none a/regex' } });
    await run.make(ground);
    expect(server.asked).toEqual([]);
  });

  it('has its baseline asked first', async () => {
    const { run, server } = setUp({
      tools: [toolNamed('a', 'regex')],
      options: { only },
      answering: (_, number) => answer('done', { durationMs: number === 1 ? 7 : 9 }),
    });
    const { made } = await run.make(ground);
    expect(made).toMatchObject([{ baselineMs: 7, result: { durationMs: 9 } }]);
    const [first, second] = server.asked.map(({ input }) => words(input));
    expect([first, second]).toEqual([made[0]?.trial.baseline, made[0]?.trial.value]);
  });

  it('has its follow-up asked afterwards, and its answer counts', async () => {
    const payload = 'sql-injection/read-only-escape a/sql';
    const product = (text: string): string => {
      const [one, other] = (text.match(/\d{5}/g) ?? []).map(Number);
      return String((one ?? 0) * (other ?? 0));
    };
    let stored = '';
    const { run } = setUp({
      tools: [toolNamed('a', 'sql')],
      options: { only: payload },
      answering: ({ input }) => {
        const text = words(input);
        if (/^SELECT n FROM /.test(text)) return stored;
        stored = product(text);
        return 'done';
      },
    });
    const { made, proven } = await run.make(ground);
    expect(made[0]?.followUp?.text).toBeDefined();
    expect(proven).toMatchObject([{ isConfirmed: true, verdict: { oracle: 'sql-altered' } }]);
  });
});

describe('created paths', () => {
  it('are those of files that came to be', () => {
    const odd: Event = { ...open(3, ''), fields: { path: { base64: '//8=' }, creates: true } };
    const none: Event = { ...open(4, ''), fields: { creates: true } };
    const events = [open(1, '/a', 'ok', 'write', true), open(2, '/b'), odd, none, exec(5, 'touch', '/c')];
    expect(createdPaths(events)).toEqual(['/a']);
  });
});
