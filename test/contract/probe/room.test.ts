import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BackendId, backends } from '../../../src/engine/box/index.ts';
import { findTool } from '../../../src/engine/host/index.ts';
import { whyNoNetwork } from '../net/lab.ts';
import { nameserver } from './places.ts';
import type { RoomAnswer, RoomRequest } from './room-program.ts';
import { readStrays, type StrayResult, strayTries } from './stray-scanner.ts';
import { type HostListener, openWorld, outOfScope, target, targetPorts, type World } from './world.ts';

/** Rooms as probe opens them, with a scanner in them that ignores its arguments: only the aim hears of it. */

const reason = (await whyNoNetwork()) ?? ((await findTool('tcpdump')) === null ? 'tcpdump is not installed' : null);
const program = fileURLToPath(new URL('room-program.ts', import.meta.url));
const name = 'api.example';

const scope = {
  targets: [target.ipv4, target.ipv6, name],
  rate: { requestsPerSecond: 1000, connectionsPerSecond: 5000 },
  authorization: { by: 'the tests', reference: 'this file' },
};

const tried = (address: string) => strayTries({ aim: { address, port: targetPorts.http } });
const rooms: RoomRequest['rooms'] = [
  { url: `http://${target.ipv4}/`, screened: true, tries: tried(target.ipv4) },
  { url: `http://[${target.ipv6}]/`, screened: false, tries: tried(target.ipv6) },
  { url: `http://${name}/`, screened: true, tries: tried(target.ipv4) },
];

const screenedOut = ['more than one host', 'CONNECT', 'Content-Length together', '"stray.example"'];

describe('a room', () => {
  const folder = mkdtempSync('/tmp/hotcell-rooms-');
  chmodSync(folder, 0o711);
  let world: World;
  let listener: HostListener;
  beforeAll(async () => {
    if (reason !== null) return;
    world = await openWorld({ names: [name] });
    listener = await world.startHostListener();
  });
  beforeEach((context) => {
    if (reason !== null) context.skip(reason);
  });
  afterAll(async () => {
    await world?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function strayIn(backend: BackendId, runtimeFolder: string): Promise<readonly RoomAnswer[]> {
    const [requestFile, answerFile, scopeFile] = ['request.json', 'answer.json', 'scope.json'].map((file) =>
      join(runtimeFolder, file),
    ) as [string, string, string];
    const request: RoomRequest = { backend, scopeFile, folder: join(runtimeFolder, 'scans'), runtimeFolder, rooms };
    writeFileSync(scopeFile, JSON.stringify(scope));
    writeFileSync(requestFile, JSON.stringify(request));
    const argv = [process.execPath, '--no-warnings', program, requestFile, answerFile];
    const { stderr, code } = await world.inside(argv, { timeoutMs: 110_000, resolver: true });
    expect({ code, stderr: stderr.toString() }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(readFileSync(answerFile, 'utf8')) as readonly RoomAnswer[];
  }

  it.for(['gvisor', 'bwrap'] as const)('of %s lets nothing but the aim through', async (backend, context) => {
    const runtimeFolder = join(folder, backend);
    mkdirSync(runtimeFolder, { mode: 0o711 });
    const probed = await backends.find(({ id }) => id === backend)?.probe({ runtimeFolder });
    if (probed?.is !== 'yes') context.skip(probed?.is === 'not-available' ? probed.because : `no ${backend} here`);
    const before = world.requests().length;
    const answers = await strayIn(backend, runtimeFolder);

    for (const [at, { tries, screened, url }] of rooms.entries()) {
      const answer = answers[at];
      if (answer === undefined) throw new Error(`no answer about ${url}`);
      const { status, exitCode, complained } = answer;
      expect({ status, exitCode, complained }).toEqual({ status: 'completed', exitCode: 0, complained: '' });
      const results = readStrays(Buffer.from(answer.said), tries);
      const { end } = answer;
      expect(end).toMatchObject({ by: 'gate', isComplete: true });
      expect(readFileSync(end.capture ?? '').length).toBeGreaterThan(1000);
      const refused = end.refused.map(({ to }) => to);
      expect(refused).toEqual(
        expect.arrayContaining([`${outOfScope[0]}:80`, `[${outOfScope[2]}]:443`, '169.254.169.254:80', '8.8.8.8:53']),
      );
      const through = tries.filter(({ way }) => way === 'through').map(({ id }) => results.get(id));
      const isStopped = (result: StrayResult | undefined): boolean =>
        result?.outcome === 'refused' || result?.detail.startsWith('HTTP/1.1 refused') === true;
      expect(through.filter((result) => isStopped(result) !== screened && result?.kind === 'tcp')).toEqual([]);
      const reasons = end.refused.map(({ because }) => because).join('\n');
      expect(screenedOut.filter((words) => screened && !reasons.includes(words))).toEqual([]);
      // What else was tried is told as refused, by the program as well as by the gate.
      const outside = tries.filter(({ way, kind }) => way === 'outside' && kind === 'tcp');
      const heard = outside.map(({ id }) => results.get(id)).filter((result) => result?.outcome === 'answered');
      expect(heard).toEqual([]);
    }
    // Requests that nobody opens came to the target; those that are opened did not.
    const hosts = new Set(
      world
        .requests()
        .slice(before)
        .map(({ host }) => host),
    );
    expect(hosts).toEqual(new Set([outOfScope[0], 'stray.example', `[${target.ipv6}]`]));
    const asked = world.questions().filter((question) => question.name !== name);
    expect(asked).toEqual([]);
    // The name was asked for when the scope was loaded, and by nobody else.
    const strays = await world.strays();
    expect(strays.filter(({ to, port }) => to !== nameserver || port !== 53)).toEqual([]);
    expect(world.caught()).toEqual([]);
    expect(listener.connections()).toBe(0);
  });
});
