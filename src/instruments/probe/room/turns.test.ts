import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** A pace that is kept by hand. */
function paceByHand() {
  const asked: (() => void)[] = [];
  let taken = 0;
  return {
    take: () => {
      taken += 1;
      return new Promise<void>((resolve) => void asked.push(resolve));
    },
    /** One turn comes. */
    async pass() {
      asked.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
    get taken() {
      return taken;
    },
  };
}

const never = new AbortController().signal;

describe('Turns', () => {
  it('lets those who wait through in order, one for each turn', async () => {
    const pace = paceByHand();
    const turns = new Turns(pace);
    const order: number[] = [];
    for (let at = 0; at < 9; at += 1) void turns.take(never).then(() => order.push(at));
    for (let at = 0; at < 9; at += 1) {
      await pace.pass();
      expect(order).toHaveLength(at + 1);
    }
    expect(order).toEqual(order.toSorted());
    expect(pace.taken).toBe(9);
  });

  it('uses up no turns for those who left, and gives theirs to those who stay', async () => {
    const pace = paceByHand();
    const turns = new Turns(pace);
    const leave = new AbortController();
    const left = Array.from({ length: 1000 }, () => turns.take(leave.signal));
    let isThrough = false;
    const stays = turns.take(never).then(() => {
      isThrough = true;
    });
    leave.abort();
    await Promise.all(left);
    expect(isThrough).toBe(false);
    await pace.pass();
    await stays;
    expect(pace.taken).toBeLessThan(10);
  });

  it('does not have anybody wait who has left before', async () => {
    const pace = paceByHand();
    await new Turns(pace).take(AbortSignal.abort());
    expect(pace.taken).toBe(0);
  });
});
