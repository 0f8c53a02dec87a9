import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { labVariable, repeatLabFlags } from '../../../../src/doors/settings/lab-flags.ts';
import { openNew } from '../../../e2e/mcp/clients.ts';
import { serveHttp } from '../../../e2e/mcp/served.ts';
import { openContainer } from '../../connector/places.ts';
import { expectNone, untilSome } from '../processes.ts';
import { openSampleLab, overSsh } from '../sample-lab.ts';
import type { Row } from './benches.ts';

/** Doors and connections: who is let in, who is kept out, and what is left behind. */

const token = 'a-token-for-tests-0123456789';

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

const initialise = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

async function post(url: string, body: string, more: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
  });
  await response.text();
  return response.status;
}

export const connectionRows: readonly Row[] = [
  {
    number: 18,
    name: 'served over HTTP: unknown sessions, foreign origins and a crowd of beginners harm nobody',
    needs: ['sshd'],
    async check(benches) {
      const { place } = await benches.stubs();
      const home = mkdtempSync(join(tmpdir(), 'hotcell-served-'));
      const { host, port, user, identityFile, knownHostsFile } = place.sshd.options;
      const before = (await place.sshd.connections()).length;
      const served = await serveHttp(['--tools', 'lab'], {
        MCP_TOKEN: token,
        HOTCELL_HOME: home,
        HOTCELL_LAB_MODE: 'ssh',
        HOTCELL_LAB_HOST: host,
        HOTCELL_LAB_PORT: String(port),
        HOTCELL_LAB_USER: user,
        HOTCELL_LAB_IDENTITY: identityFile,
        HOTCELL_LAB_KNOWN_HOSTS: knownHostsFile,
        HOTCELL_LAB_SAMPLES_DIR: join(home, 'samples'),
        HOTCELL_LAB_OUTPUT_DIR: join(home, 'output'),
      });
      try {
        const list = message('tools/list', {});
        expect(await post(served.url, list, { 'mcp-session-id': 'no-such-session' })).toBe(404);
        expect(await post(served.url, initialise, { origin: 'https://elsewhere.example' })).toBe(403);
        expect(await post(served.url, initialise, { authorization: 'Bearer wrong' })).toBe(401);
        const crowd = await Promise.all(Array.from({ length: 120 }, () => post(served.url, initialise)));
        expect(new Set(crowd)).toEqual(new Set([200]));
        // Neither they nor anything that was refused has opened a connection.
        expect((await place.sshd.connections()).length).toBe(before);
        const clients = await Promise.all(
          Array.from({ length: 4 }, (_, at) => openNew(at % 2 === 0 ? 'auto' : 'legacy', { url: served.url, token })),
        );
        const answers = await Promise.all(clients.map((client) => client.call('get_server_info', {})));
        for (const { structuredContent } of answers) {
          expect(structuredContent).toMatchObject({ data: { reachable: true } });
        }
        expect((await place.sshd.connections()).length).toBe(before + 1);
        await Promise.all(clients.map((client) => client.close()));
      } finally {
        await served.end();
        rmSync(home, { recursive: true, force: true });
      }
      for (let round = 0; round < 30 && (await place.sshd.connections()).length > before; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect((await place.sshd.connections()).length).toBe(before);
    },
  },
  {
    number: 19,
    name: 'over ssh: the host is known, a key can be named, and a time limit ends one command and no other',
    needs: ['sshd'],
    async check(benches) {
      const bench = await benches.stubs();
      const flags = overSsh(bench.place.sshd);
      const stranger = await openSampleLab({ ...flags, knownHosts: join(bench.root, 'nobody-known') });
      try {
        const { error } = await stranger.call('list_files', {});
        expect(error).toMatch(/not in|not known|SHA256:/);
      } finally {
        await stranger.close();
      }
      expect(labVariable('password')).toBe('HOTCELL_LAB_PASSWORD');
      expect(repeatLabFlags({ mode: 'ssh', password: 'hidden' }).join(' ')).not.toContain('hidden');
      const other = bench.run(`sh -c 'sleep 2.5; echo whole'`);
      const late = bench.run(`sh -c 'sleep 301.19 & sleep 301.19'`, { timeoutMs: 1000 });
      expect((await late).ended).toMatchObject({ hasTimedOut: true, code: null });
      await expectNone('301.19');
      expect((await other).ended).toMatchObject({ code: 0, hasTimedOut: false });
      expect((await other).ended.stdout.toString()).toBe('whole\n');
    },
  },
  {
    number: 20,
    name: 'in a container: files travel both ways without a program of docker, and nothing is started for it',
    needs: ['docker'],
    async check() {
      const container = await openContainer();
      const { socketPath, container: name, user } = container.options;
      const started: unknown[] = [];
      const note = (event: unknown): void => {
        started.push(event);
      };
      const { PATH: path } = process.env;
      const bench = await openSampleLab({
        mode: 'docker',
        container: name,
        ...(user === undefined ? {} : { containerUser: user }),
        samplesDir: '/tmp/lab/samples',
        outputDir: '/tmp/lab/output',
        dockerSocket: socketPath,
      });
      subscribe('child_process', note);
      process.env.PATH = '/nonexistent';
      try {
        const content = Buffer.alloc(300_000, 'a harmless line\n');
        const { path: laid } = await bench.lab.samples.add({
          name: 'sample.txt',
          source: content,
          how: 'laid by a test',
          parent: null,
        });
        const sample = await bench.lab.samples.read(laid);
        expect(sample.bytes.equals(content)).toBe(true);
        const { ended, evidence, confinement } = await bench.run('wc -c sample.txt');
        expect(ended.stdout.toString()).toMatch(/^300000 /);
        expect(evidence[0]).toMatchObject({ sha256Before: sample.sha256, sha256After: sample.sha256 });
        expect(confinement).toContain(name);
        const letters = await bench.run(`sh -c 'printf "\\303"; sleep 0.2; printf "\\251\\n"'`);
        expect(letters.ended.stdout.toString()).toBe('é\n');
        const late = bench.run(`sh -c 'sleep 301.20 & sleep 301.20'`, { timeoutMs: 2000 });
        await untilSome('301.20', 2);
        expect((await late).ended.hasTimedOut).toBe(true);
        await expectNone('301.20');
        expect(started).toEqual([]);
      } finally {
        process.env.PATH = path;
        unsubscribe('child_process', note);
        await bench.close();
        await container.close();
      }
    },
  },
];
