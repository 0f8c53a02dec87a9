import { describe, expect, it } from 'vitest';
import { answer } from '../trials/sample-observed.ts';
import { Line } from './line.ts';
import { SampleConversation } from './sample-conversation.ts';

const gone = () => answer('', { outcome: 'gone' });

describe('a line', () => {
  it('counts calls and tells what came back', async () => {
    const conversation = new SampleConversation(({ tool }) => `${tool} said so`);
    const line = new Line(conversation, () => Promise.resolve(null));
    expect(await line.call('a', { x: 1 }, 100)).toMatchObject({ wentAway: false, result: { outcome: 'answered' } });
    expect(line.calls).toBe(1);
    expect(line.isDead).toBe(false);
    expect(conversation.asked).toEqual([{ tool: 'a', input: { x: 1 } }]);
  });

  it.each(['timeout', 'rpc-error', 'invalid'] as const)('is not renewed by %s', async (outcome) => {
    let reopened = 0;
    const line = new Line(new SampleConversation(() => answer('', { outcome })), () => {
      reopened += 1;
      return Promise.resolve(null);
    });
    expect(await line.call('a', {}, 100)).toMatchObject({ wentAway: false });
    expect(reopened).toBe(0);
  });

  it('goes on with the one that comes after', async () => {
    const second = new SampleConversation();
    const line = new Line(new SampleConversation(gone), () => Promise.resolve(second));
    expect(await line.call('a', {}, 100)).toMatchObject({ wentAway: true });
    expect(line.conversation).toBe(second);
    expect(await line.call('b', {}, 100)).toMatchObject({ wentAway: false });
    expect(second.asked.map(({ tool }) => tool)).toEqual(['b']);
  });

  it.each([
    { what: 'nobody comes back', reopen: () => Promise.resolve(null) },
    { what: 'starting again fails', reopen: () => Promise.reject(new Error('no')) },
  ])('is dead where $what', async ({ reopen }) => {
    const line = new Line(new SampleConversation(gone), reopen);
    await line.call('a', {}, 100);
    expect(line.isDead).toBe(true);
  });

  it('is renewed four times and no more', async () => {
    let reopened = 0;
    const line = new Line(new SampleConversation(gone), () => {
      reopened += 1;
      return Promise.resolve(new SampleConversation(gone));
    });
    for (let call = 0; call < 20 && !line.isDead; call += 1) await line.call('a', {}, 100);
    expect(reopened).toBe(4);
    expect(line.calls).toBe(5);
  });
});
