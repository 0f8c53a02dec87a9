import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeartbeatSpotter, heartbeatPath, heartbeatPort } from './heartbeat.ts';

const nonce = '0123456789abcdef0123456789abcdef';

function address(ip: readonly number[], port: number, family = 2): Uint8Array {
  return Uint8Array.from([family, 0, port >> 8, port & 255, ...ip, 0, 0, 0, 0, 0, 0, 0, 0]);
}

function pathBytes(number: number): Uint8Array {
  return Buffer.from(heartbeatPath({ nonce, number }));
}

const loopback = [127, 0, 0, 1];

describe('HeartbeatSpotter', () => {
  it.each([0, 1, 65_534, 65_535, 4_294_967_295])('sees both halves of number %i', (number) => {
    const spotter = new HeartbeatSpotter();
    expect(spotter.spotOpen(7, pathBytes(number))).toEqual({ nonce, number });
    expect(spotter.spotConnect(7, address(loopback, heartbeatPort(number)))).toEqual({ nonce, number });
    expect(spotter.spotConnect(7, address(loopback, heartbeatPort(number)))).toBeNull();
  });

  it('uses every port but 0', () => {
    expect([0, 65_534, 65_535].map(heartbeatPort)).toEqual([1, 65_535, 1]);
  });

  it.each([
    ['/hotcell-heartbeat-'],
    [`/hotcell-heartbeat-${nonce}`],
    [`/hotcell-heartbeat-${nonce}-`],
    [`/hotcell-heartbeat-${nonce}-01`],
    [`/hotcell-heartbeat-${nonce}-1\n`],
    [`/hotcell-heartbeat-${nonce.toUpperCase()}-1`],
    [`/hotcell-heartbeat-${nonce}0-1`],
    [`x/hotcell-heartbeat-${nonce}-1`],
    [`/hotcell-heartbeat-${nonce}-${'1'.repeat(40)}`],
  ])('takes %j for an ordinary path', (path) => {
    expect(new HeartbeatSpotter().spotOpen(1, Buffer.from(path))).toBeNull();
  });

  it.each([
    ['another port', address(loopback, 9)],
    ['another address', address([127, 0, 0, 2], 4)],
    ['another family', address(loopback, 4, 10)],
    ['an address that is cut off', address(loopback, 4).subarray(0, 7)],
    ['no address', new Uint8Array()],
  ])('takes %s for an ordinary connect, and waits no longer', (_, other) => {
    const spotter = new HeartbeatSpotter();
    spotter.spotOpen(1, pathBytes(3));
    expect(spotter.spotConnect(1, other)).toBeNull();
    expect(spotter.spotConnect(1, address(loopback, 4))).toBeNull();
  });

  it('keeps processes apart', () => {
    const spotter = new HeartbeatSpotter();
    spotter.spotOpen(1, pathBytes(3));
    expect(spotter.spotConnect(2, address(loopback, 4))).toBeNull();
    expect(spotter.spotConnect(1, address(loopback, 4))).toEqual({ nonce, number: 3 });
  });

  it('forgets the oldest of very many', () => {
    const spotter = new HeartbeatSpotter();
    for (let pid = 1; pid <= 1025; pid += 1) spotter.spotOpen(pid, pathBytes(3));
    expect(spotter.spotConnect(1, address(loopback, 4))).toBeNull();
    expect(spotter.spotConnect(2, address(loopback, 4))).toEqual({ nonce, number: 3 });
  });

  it('meets any bytes', () => {
    const spotter = new HeartbeatSpotter();
    fc.assert(
      fc.property(fc.nat(), fc.uint8Array(), fc.uint8Array(), (pid, path, bytes) => {
        expect(spotter.spotOpen(pid, path)).toBeNull();
        expect(spotter.spotConnect(pid, bytes)).toBeNull();
      }),
    );
  });
});
