import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HostError } from '../../../src/base/errors.ts';
import { allowing, EgressLab, echo } from './egress-lab.ts';
import { needNetwork } from './lab.ts';

let lab = new EgressLab();
beforeEach(async (context) => {
  await needNetwork(context);
  lab = new EgressLab();
});
afterEach(() => lab.close());

/** A program in the box that keeps one connection open and says when it hears something and when it is over. */
function holdOpen(host: string, port: number) {
  const script = `
import { connect } from 'node:net';
const socket = connect({ host: ${JSON.stringify(host)}, port: ${port}, autoSelectFamily: false }, () => socket.write('hello'));
socket.on('data', (chunk) => console.log('heard ' + chunk)).on('error', (error) => console.log(error.code));
process.stdin.on('data', (chunk) => socket.write(chunk)).on('end', () => process.exit(0));`;
  const argv = lab.asBox([process.execPath, '--input-type=module', '-e', script]);
  const child = spawn('ip', [...lab.gate.namespaces.inBox(argv)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const next = async (): Promise<string> =>
    String((await once(lines, 'line', { signal: AbortSignal.timeout(15_000) }))[0]);
  return { child, next };
}

describe('rules that change while the box runs', () => {
  it('end what they no longer allow, leave the rest, and give names to what is new', async () => {
    const { port } = await lab.upstream(echo);
    const loopback = ['127.0.0.1', port] as const;
    const gate = await lab.open({ policy: allowing(['old.example', port], ['kept.example', port], loopback) });
    const [old, kept] = [holdOpen('old.example', port), holdOpen('kept.example', port)];
    expect(await Promise.all([old.next(), kept.next()])).toEqual(['heard hello', 'heard hello']);
    expect(await lab.talk('new.example', port)).toContain('ENOTFOUND');
    expect(gate.blockedAttempts).toBe(1);

    const ended = old.next();
    const rules = allowing(['new.example', port], ['kept.example', port], loopback).network.rules;
    expect(await gate.setRules(rules)).toEqual({ cut: 1 });
    expect(await ended).toBe('ECONNRESET');
    await lab.until(({ kind, fields }) => kind === 'connection-close' && fields.problem === 'rules-changed');
    expect(lab.of('egress-refused').map(({ fields }) => [fields.host, fields.because])).toEqual([
      ['old.example', 'rules-changed'],
    ]);
    const again = kept.next();
    kept.child.stdin.write('again');
    expect(await again).toBe('heard again');
    expect(await lab.talk('new.example', port)).toBe('hello\n');
    expect(await lab.talk('old.example', port)).toContain('ENOTFOUND');
    expect(gate.attempts).toEqual({ blocked: 3, unlisted: 0 });

    expect(await gate.setRules([])).toEqual({ cut: 1 });
    expect(await lab.talk('93.184.216.34', port)).toBe('ECONNRESET');
    expect(gate.blockedAttempts).toBe(5);
    for (const { child } of [old, kept]) child.kill('SIGKILL');
    await lab.closeGates();
    await expect(gate.setRules([])).rejects.toThrow(HostError);
  });

  it('may only look: what is not listed goes through and is counted, our own network stays closed', async () => {
    const { port } = await lab.upstream(echo);
    const gate = await lab.open({ policy: allowing(), resolve: async () => ['127.0.0.1'] });
    expect(await lab.talk('any.example', port)).toContain('ENOTFOUND');
    await gate.setRules(allowing(['127.0.0.1', port]).network.rules, 'audit-only');
    expect(await lab.talk('any.example', port)).toBe('hello\n');
    expect(gate.attempts).toEqual({ blocked: 1, unlisted: 1 });
    expect(lab.of('egress-allowed').map(({ fields }) => fields.isListed)).toEqual([false]);
    expect(await lab.talk('any.example', port + 1)).toBe('ECONNRESET');
    expect(lab.of('egress-refused').map(({ fields }) => fields.because)).toEqual(['special-address']);
  });
});
