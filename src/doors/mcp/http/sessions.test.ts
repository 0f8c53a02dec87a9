import { describe, expect, it } from 'vitest';
import { sampleFactory } from '../sample-door.ts';
import { Sessions } from './sessions.ts';

async function open(inAll: number, each: number) {
  let time = 0;
  const sessions = new Sessions({
    makeServer: await sampleFactory(),
    share: { inAll, each },
    idleMs: 1000,
    onError: () => {},
    now: () => {
      time += 1;
      return time;
    },
  });
  const passes = (ms: number): void => {
    time += ms;
  };
  return { sessions, passes };
}

describe('sessions', () => {
  it('let a newcomer in by taking from who has most', async () => {
    const { sessions } = await open(4, 4);
    const greedy = [];
    for (let turn = 0; turn < 4; turn += 1) greedy.push(await sessions.open('greedy'));
    const other = await sessions.open('other');
    expect(other).not.toBeNull();
    expect(sessions.find(greedy[0]?.id ?? '')).toBeNull();
    expect(sessions.size).toBe(4);
    await sessions.close();
    expect(sessions.size).toBe(0);
  });

  it('are not taken from a client by itself while it uses all of them', async () => {
    const { sessions } = await open(10, 2);
    for (let turn = 0; turn < 2; turn += 1) {
      const session = await sessions.open('a');
      if (session !== null) sessions.use(session);
    }
    expect(await sessions.open('a')).toBeNull();
    expect(await sessions.open('b')).not.toBeNull();
    await sessions.close();
  });

  it('end when nobody has used them for long', async () => {
    const { sessions, passes } = await open(10, 10);
    const [used, idle] = [await sessions.open('a'), await sessions.open('a')];
    const release = used === null ? () => {} : sessions.use(used);
    passes(2000);
    await sessions.closeIdle();
    expect(sessions.find(used?.id ?? '')).toBe(used);
    expect(sessions.find(idle?.id ?? '')).toBeNull();
    release();
    passes(2000);
    await sessions.closeIdle();
    expect(sessions.size).toBe(0);
    await sessions.close();
  });
});
