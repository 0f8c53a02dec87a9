import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectAddress } from '../../../src/engine/net/egress/connect-address.ts';
import type { BridgeEnds, GateBridge } from '../../../src/engine/net/index.ts';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import { needNetwork } from './lab.ts';

/** What a caller of the gate can put in the place of its own parts. */

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

/** Carries everything as it is until the box says a word that it refuses. */
function bridgeUntil(word: string, seen: BridgeEnds[]): GateBridge {
  return (ends) => {
    seen.push(ends);
    const { box, upstream } = ends;
    const ended = Promise.withResolvers<string | null>();
    const cut = (reason: string): void => {
      ended.resolve(reason);
      box.destroy();
      upstream.destroy();
    };
    box.on('data', (bytes: Buffer) => {
      if (bytes.includes(word)) cut(`refused: ${word}`);
      else upstream.write(bytes);
    });
    box.on('end', () => upstream.end());
    upstream.pipe(box);
    upstream.on('close', () => ended.resolve(null));
    return { ended: ended.promise, cut };
  };
}

describe('a bridge', () => {
  it.each([false, true])(
    'carries what was allowed, and refuses inside it; handshakes held: %s',
    async (holdsHandshakes) => {
      const { port } = await lab.upstream(echo);
      const seen: BridgeEnds[] = [];
      const policy = allowing(['api.example', port], ['127.0.0.1', port]);
      const gate = await lab.open({ policy, holdsHandshakes, bridge: bridgeUntil('secret', seen) });
      expect(await lab.talk('api.example', port)).toBe('hello\n');
      expect(await lab.talk('api.example', port, 'the secret')).toMatch(/^(|ECONNRESET)$/);
      expect(seen.map(({ host, address }) => [host, address])).toEqual(Array(2).fill(['api.example', '127.0.0.1']));
      await lab.until(({ kind, fields }) => kind === 'connection-close' && fields.problem === 'refused: secret');
      const refused = lab.of('egress-refused').map(({ fields }) => [fields.because, fields.detail]);
      expect(refused).toEqual([['request', 'secret']]);
      expect(gate.attempts.blocked).toBe(1);
    },
  );

  it('is cut when the rules change, and when it fails itself the gate goes on', async () => {
    const { port } = await lab.upstream(echo);
    const reasons: string[] = [];
    const policy = allowing(['api.example', port], ['127.0.0.1', port]);
    let count = 0;
    const bridge: GateBridge = () => {
      count += 1;
      if (count === 1) throw new Error('out of order');
      const ended = Promise.withResolvers<string | null>();
      const cut = (reason: string): void => {
        reasons.push(reason);
        ended.resolve(reason);
      };
      return { ended: ended.promise, cut };
    };
    const gate = await lab.open({ policy, bridge });
    expect(await lab.talk('api.example', port)).toBe('ECONNRESET');
    await lab.until(({ kind, fields }) => kind === 'connection-close' && fields.problem === 'bridge: out of order');
    const talking = lab.talk('api.example', port);
    await expect.poll(() => count).toBe(2);
    expect(await gate.setRules([])).toEqual({ cut: 1 });
    expect(await talking).toBe('ECONNRESET');
    expect(reasons[0]).toBe('rules-changed');
  });
});

describe('a decision of the caller', () => {
  it('stands in the place of the rules, and each attempt waits for the pace', async () => {
    const { port, accepted } = await lab.upstream(echo);
    let paced = 0;
    await lab.open({
      policy: allowing(),
      connect: (_address, _port, signal) => connectAddress('127.0.0.1', port, signal),
      decide: (_host, asked, address) =>
        address.startsWith('203.0.113.') && asked < 1024
          ? { is: 'allowed', address }
          : { is: 'refused', because: 'not-listed', detail: 'out of scope' },
      pace: async () => {
        paced += 1;
      },
    });
    expect(await lab.talk('203.0.113.7', 80)).toBe('hello\n');
    expect(await lab.talk('203.0.113.7', 2000)).toBe('ECONNRESET');
    expect(await lab.talk('192.0.2.1', 80)).toBe('ECONNRESET');
    expect([accepted(), paced]).toEqual([1, 1]);
    expect(lab.of('egress-allowed').map(({ fields }) => fields.isListed)).toEqual([true]);
    expect(lab.of('egress-refused').map(({ fields }) => fields.detail)).toEqual(Array(2).fill('out of scope'));
  });
});
