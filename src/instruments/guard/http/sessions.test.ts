import { expect, it } from 'vitest';
import { Sessions } from './sessions.ts';

function openSessions(most: number) {
  let open = 0;
  const sessions = new Sessions(() => {
    open += 1;
    return {
      take: () => ({ forward: null, reply: null }),
      close: () => {
        open -= 1;
      },
    };
  }, most);
  return { sessions, gates: () => open };
}

it('a session keeps its gate, and an exchange without one has its own', () => {
  const { sessions, gates } = openSessions(2);
  const first = sessions.take(null);
  expect(sessions.take(null)?.gate).not.toBe(first?.gate);
  first?.keep('a');
  first?.keep('b');
  expect([sessions.take('a'), sessions.take('b')].map((lease) => lease?.gate === first?.gate)).toEqual([true, true]);
  sessions.forget('a');
  expect(sessions.has('b')).toBe(false);
  expect(gates()).toBe(2);
});

it('there are so many at a time, and who is used is not forgotten', () => {
  const { sessions, gates } = openSessions(2);
  const [one, two] = [sessions.take('1'), sessions.take('2')];
  expect(sessions.take('3')).toBeNull();
  two?.release();
  two?.release();
  expect(sessions.take('3')).not.toBeNull();
  expect([sessions.has('1'), sessions.has('2')]).toEqual([true, false]);
  expect(sessions.take('x'.repeat(5000))).toBeNull();
  one?.release();
  sessions.close();
  expect(gates()).toBe(1);
});
