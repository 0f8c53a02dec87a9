import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Progress } from '../../../instruments/analyze/run/contract.ts';
import { hostileText, sampleFinding } from '../../tools/runs/sample-report.ts';
import { describeTerminal, displayWidth } from '../terminal/index.ts';
import { inOrder } from './in-order.ts';
import { LiveProgress, type ProgressMode } from './live-progress.ts';
import { advance, describeTrack, openTrack, type TrackState } from './track.ts';

const terminal = describeTerminal({ color: 'never', isTerminal: true, columns: 60, environment: {} });

function open(mode: ProgressMode, isNamed = false) {
  const stream = new PassThrough();
  const live = new LiveProgress(stream, terminal, { mode, isNamed });
  return { live, text: () => String(stream.read() ?? '') };
}

const told: readonly Progress[] = [
  { kind: 'stage', stage: 'attack' },
  { kind: 'tool', name: `search${hostileText}`, number: 2, of: 7 },
  { kind: 'trials', made: 12, planned: 320 },
  { kind: 'finding', finding: sampleFinding({ title: `It ${hostileText} ${'long '.repeat(30)}` }) },
  { kind: 'note', text: `said ${hostileText}` },
];

describe('describeTrack', () => {
  /** The calls begin ten seconds after the run. */
  const track = (mostMs: number): TrackState =>
    told.reduce((state, progress) => advance(state, progress, 10_000), openTrack('x', mostMs, 0));

  it('counts the budget down only while there are calls', () => {
    const early = advance(openTrack('x', 60_000, 0), { kind: 'stage', stage: 'start' }, 0);
    expect(describeTrack(early, 61_000)).toEqual(['1:01', 'starting it']);
    expect(describeTrack(track(5000), 20_000)[0]).toBe('0:20');
  });

  it('says how far it is, the most telling first', () => {
    const state = track(60_000);
    expect(describeTrack(state, 20_500)).toEqual([
      '0:20, 0:50 left',
      'attacking',
      '1 critical',
      'trial 12 of 320',
      'tool 2 of 7 search\\x1b[2J\\u{202e}evil',
    ]);
  });

  it('forgets tools and trials with their stage, and never the findings', () => {
    const state = advance(track(10_000), { kind: 'stage', stage: 'idle' }, 60_000);
    expect(describeTrack(state, 99_000)).toEqual(['1:39', 'watching it idle', '1 critical']);
  });
});

describe('LiveProgress', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('draws one line again and again, and keeps what was found above it', () => {
    const { live, text } = open('line');
    const track = live.open('x', 60_000);
    for (const progress of told) track.tell(progress);
    vi.advanceTimersByTime(400);
    const all = text();
    const [finding = '', drawn = ''] = all.split('\n');
    expect(finding).toMatch(/^critical {2}A {2}It \\x1b\[2J\\u\{202e\}evil long .*\.\.\.$/);
    expect(displayWidth(finding)).toBeLessThanOrEqual(60);
    const frames = drawn.split('\r\u001b[2K').filter((frame) => frame !== '');
    expect(frames).toHaveLength(2);
    for (const frame of frames) expect(displayWidth(frame)).toBeLessThan(60);
    expect(frames[0]).toMatch(/^0:00, 1:00 left {2}attacking {2}1 critical {2}trial 12 of 320/);
    live.close();
    expect(text()).toBe('\r\u001b[2K');
  });

  it('shows several side by side', () => {
    const { live, text } = open('line', true);
    live.open('first', 1000);
    live.open('second', 1000);
    vi.advanceTimersByTime(150);
    expect(text()).toMatch(/first: 0:00.* \| second: 0:00/);
    live.close();
  });

  it('writes a line per step where there is no terminal', () => {
    const { live, text } = open('plain', true);
    const track = live.open('x', 60_000);
    for (const progress of told) track.tell(progress);
    vi.advanceTimersByTime(1000);
    live.close();
    const [stage, finding, note, ...rest] = text().split('\n');
    expect(stage).toBe('hotcell: x: attacking');
    expect(finding).toMatch(/^critical {2}A {2}x: It /);
    expect(note).toBe('hotcell: x: said \\x1b[2J\\u{202e}evil');
    expect(rest).toEqual(['']);
  });

  it('is silent when it should be', () => {
    const { live, text } = open('none');
    const track = live.open('x', 60_000);
    for (const progress of told) track.tell(progress);
    live.write('anything');
    vi.advanceTimersByTime(1000);
    live.close();
    expect(text()).toBe('');
  });
});

describe('inOrder', () => {
  it.each([1, 2, 5])('delivers in order with %s at once, and never has more under way', async (atOnce) => {
    const delivered: number[] = [];
    let running = 0;
    let most = 0;
    await inOrder(
      [5, 1, 4, 1, 3],
      atOnce,
      async (rounds, index) => {
        most = Math.max(most, ++running);
        for (let round = 0; round < rounds; round += 1) await Promise.resolve();
        running -= 1;
        return index;
      },
      async (result) => {
        delivered.push(result);
      },
    );
    expect(delivered).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBeLessThanOrEqual(atOnce);
  });

  it('has nothing to do for nothing', async () => {
    const never = (): Promise<never> => Promise.reject(new Error('never'));
    await expect(inOrder([], 3, never, never)).resolves.toBeUndefined();
  });
});
