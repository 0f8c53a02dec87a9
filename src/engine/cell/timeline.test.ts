import { describe, expect, it } from 'vitest';
import { Timeline } from './timeline.ts';

function timelineAt(): { timeline: Timeline; set: (ns: bigint) => void } {
  let now = 100n;
  const timeline = new Timeline('start', () => now);
  return {
    timeline,
    set: (ns) => {
      now = ns;
    },
  };
}

describe('a timeline', () => {
  it('knows the phase at any moment, also in hindsight', () => {
    const { timeline, set } = timelineAt();
    set(200n);
    timeline.enter('list');
    set(300n);
    timeline.enter('use');
    const phases = [50n, 100n, 199n, 200n, 299n, 300n, 1000n].map((at) => timeline.at(at).phase);
    expect(phases).toEqual(['start', 'start', 'start', 'list', 'list', 'use', 'use']);
  });

  it('knows which calls were in flight', () => {
    const { timeline, set } = timelineAt();
    set(200n);
    timeline.callStarted('1:tools/call:read');
    set(300n);
    timeline.callStarted('2:tools/call:write');
    set(400n);
    timeline.callEnded('1:tools/call:read');
    set(500n);
    timeline.callEnded('2:tools/call:write');
    expect([150n, 250n, 350n, 450n, 550n].map((at) => timeline.at(at).call)).toEqual([
      undefined,
      '1:tools/call:read',
      '1:tools/call:read 2:tools/call:write',
      '2:tools/call:write',
      undefined,
    ]);
  });

  it('is not moved by the end of a call that never began', () => {
    const { timeline, set } = timelineAt();
    set(200n);
    timeline.callEnded('9:ghost');
    expect(timeline.at(200n)).toEqual({ phase: 'start', call: undefined });
  });

  it('stays small however often it changes', () => {
    const { timeline, set } = timelineAt();
    for (let at = 0n; at < 20_000n; at += 1n) {
      set(1000n + at);
      timeline.enter(at % 2n === 0n ? 'use' : 'idle');
    }
    expect(timeline.at(1000n + 19_998n).phase).toBe('use');
    expect(timeline.at(1000n + 19_999n).phase).toBe('idle');
  });
});
