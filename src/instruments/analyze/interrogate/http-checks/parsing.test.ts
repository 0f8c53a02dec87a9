import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceSchema } from '../../../../base/finding-schema.ts';
import { event } from '../trials/sample-observed.ts';
import { namesIn } from './checks/cors.ts';
import { stackTraceIn } from './checks/stack-trace.ts';
import { evidenceOf } from './exchange.ts';
import { bindAddressesOf, isInside, reachOf } from './reach.ts';
import { guessableBecause } from './session-id.ts';

describe('session ids', () => {
  it.each([
    [['1001', '1002', '1003']],
    [['s-9', 's-10', 's-11']],
    [['1731659000123', '1731659000456']],
    [['abc123', 'abd999', 'xyz000']],
    [['a', 'a']],
    // Version 1: only the time differs.
    [['1f0c1a3e-c2d1-11f0-8de9-0242ac120002', '1f0c1f7a-c2d1-11f0-8de9-0242ac120002']],
    [['deadbeef00000001', 'deadbeef00000002']],
  ])('%j can be guessed', (ids) => {
    expect(guessableBecause(ids)).not.toBeNull();
  });

  it('that are random cannot, whatever their form', () => {
    for (const make of [
      randomUUID,
      () => randomBytes(16).toString('hex'),
      () => randomBytes(16).toString('base64url'),
      () => `session_${randomBytes(18).toString('base64url')}.v1`,
    ])
      expect(guessableBecause(Array.from({ length: 4 }, make))).toBeNull();
  });

  it('of any kind are judged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 5 }), (ids) => {
        const why = guessableBecause(ids);
        if (new Set(ids).size < ids.length) expect(why).not.toBeNull();
        if (ids.length < 2) expect(why).toBeNull();
      }),
    );
  });
});

describe('where it listens', () => {
  it.each([
    [[], 'unknown'],
    [['127.0.0.1'], 'loopback'],
    [['::1', '127.0.0.53'], 'loopback'],
    [['::ffff:127.0.0.1'], 'loopback'],
    [['0.0.0.0'], 'network'],
    [['::'], 'network'],
    [['127.0.0.1', '10.0.0.3'], 'network'],
    [['1270.0.0.1'], 'network'],
  ] as const)('%j is %s', (addresses, reach) => {
    expect(reachOf(addresses)).toBe(reach);
  });

  it.each([
    ['localhost', true],
    ['[::1]', true],
    ['192.168.4.4', true],
    ['printer.local', true],
    ['mcp.example', false],
    ['127.0.0.1.example', false],
    ['93.184.216.34', false],
    ['172.15.0.1', false],
  ] as const)('%s is inside: %s', (host, inside) => {
    expect(isInside(host)).toBe(inside);
  });

  it('is read from events of that port, and from no others', () => {
    const bind = (address: string, port: number, outcome: 'ok' | 'failed' = 'ok') =>
      event(1, 'bind', { family: 'ipv4', address, port }, outcome);
    const events = [
      bind('0.0.0.0', 8000),
      bind('127.0.0.1', 9000),
      bind('10.0.0.1', 8000, 'failed'),
      event(2, 'connect', { address: '10.9.9.9', port: 8000 }),
      event(3, 'bind', { family: 'unix', path: { text: '/x' } }),
    ];
    expect(bindAddressesOf(events, 8000)).toEqual(['0.0.0.0']);
    expect(bindAddressesOf(events)).toEqual(['0.0.0.0', '127.0.0.1']);
  });

  it('is a judgement on any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (addresses) => {
        expect(['loopback', 'network', 'unknown']).toContain(reachOf(addresses));
      }),
    );
  });
});

describe('stack traces', () => {
  it.each([
    [
      'SyntaxError: x\n    at JSON.parse (<anonymous>)\n    at parse (/srv/app/node_modules/body-parser/lib/json.js:92:19)',
      true,
    ],
    ['at file:///srv/app/server.js:10:2', true],
    [String.raw`Traceback:\n  File \"/srv/app/server.py\", line 12, in main`, true],
    ['panic: \n\t/go/src/app/main.go:10', true],
    ['Parse error at position 4', false],
    ['look at http://host.example/a.js:1', false],
    ['{"error":"no such method /mcp/x"}', false],
  ])('%j: %s', (text, isTrace) => {
    expect(stackTraceIn(text) !== null).toBe(isTrace);
  });
});

describe('what a server says in headers', () => {
  it('is read without trust', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        for (const name of namesIn(value)) expect(name).toBe(name.trim().toLowerCase());
      }),
    );
    expect([...namesIn(' Content-Type ,*,, X ')]).toEqual(['content-type', '*', 'x']);
  });

  it('is evidence whatever it is', () => {
    const record = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(record, record, fc.string({ unit: 'binary' }), fc.nat(999), (sent, headers, text, status) => {
        const exchange = { method: 'POST', path: `/${text}`, sent, body: text, status, headers, answer: () => text };
        expect(evidenceSchema.safeParse(evidenceOf(exchange)).success).toBe(true);
      }),
    );
  });
});
