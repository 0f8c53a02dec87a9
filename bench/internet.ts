import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FakeInternet } from '../src/engine/net/index.ts';
import { median } from './machine.ts';
import type { Result } from './result.ts';

/** A name looked up and a page fetched over TLS through the fake internet, each time anew. */

const rounds = 60;
const bar = 15;

const client = `
const https = require('node:https');
const dns = require('node:dns');
const resolver = new dns.promises.Resolver();
resolver.setServers([process.argv[1]]);
const ca = require('node:fs').readFileSync(process.argv[2]);
const once = async (name) => {
  const [host] = await resolver.resolve4(name);
  await new Promise((resolve, reject) => {
    https.get({ host, servername: name, headers: { host: name }, ca, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    }).on('error', reject);
  });
};
(async () => {
  for (let i = 0; i < 5; i += 1) await once('warm' + i + '.example');
  for (let i = 0; i < ${rounds}; i += 1) {
    const startedAt = performance.now();
    await once('host' + i + '.example');
    console.log(performance.now() - startedAt);
  }
})();
`;

export async function measureInternet({ runtimeFolder }: { runtimeFolder: string }): Promise<readonly Result[]> {
  if (process.getuid?.() !== 0) return [];
  await using internet = await FakeInternet.start({ runId: `bench-${process.pid}`, onEvents: () => undefined });
  const authority = join(runtimeFolder, 'authority.pem');
  writeFileSync(authority, internet.authority.certificatePem);
  const argv = internet.namespaces.inBox([process.execPath, '-e', client, '10.200.0.1', authority]);
  const child = spawn('ip', [...argv], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  await new Promise((resolve) => child.once('close', resolve));
  const times = said.trim().split('\n').map(Number);
  return [
    {
      name: 'DNS and HTTPS through the fake internet',
      value: median(times),
      unit: 'ms',
      bar,
      detail: `p50 of ${times.length}, each a new name, a new certificate and a new connection`,
    },
  ];
}
