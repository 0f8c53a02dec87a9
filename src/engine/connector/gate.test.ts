import { describe, expect, it } from 'vitest';
import { Gate } from './gate.ts';

describe('a gate', () => {
  it('lets the next in when one leaves, in order, and only once for each', async () => {
    const gate = new Gate(2);
    const [first, second] = [await gate.enter(), await gate.enter()];
    const order: string[] = [];
    const third = gate.enter().then((leave) => {
      order.push('third');
      return leave;
    });
    const fourth = gate.enter().then((leave) => {
      order.push('fourth');
      return leave;
    });
    first();
    first();
    await third;
    expect(order).toEqual(['third']);
    second();
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('is left by whoever no longer wants in', async () => {
    const gate = new Gate(1);
    const leave = await gate.enter();
    const abort = new AbortController();
    const waiting = gate.enter(abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(gate.enter(abort.signal)).rejects.toThrow('enough');
    leave();
    await gate.enter();
  });
});
