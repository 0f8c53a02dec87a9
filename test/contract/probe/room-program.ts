import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendId } from '../../../src/engine/box/index.ts';
import { hostResolver } from '../../../src/engine/net/index.ts';
import { aimMeans } from '../../../src/instruments/probe/arguments/index.ts';
import { Pacer } from '../../../src/instruments/probe/pacer.ts';
import type { RoomEnd, RunEnd } from '../../../src/instruments/probe/room/contract.ts';
import { gatedRooms } from '../../../src/instruments/probe/room/gated.ts';
import { loadScope } from '../../../src/instruments/probe/scope/index.ts';
import { newRunId } from '../net/lab.ts';
import { type Stray, strayFiles, strayNames } from './stray-scanner.ts';

/** `node room-program.ts REQUEST.json ANSWER.json`: the stray scanner in rooms of probe, several at once. */

export interface RoomRequest {
  readonly backend: BackendId;
  readonly scopeFile: string;
  readonly folder: string;
  readonly runtimeFolder: string;
  readonly rooms: readonly {
    readonly url: string;
    readonly screened: boolean;
    readonly tries: readonly Stray[];
  }[];
}

export interface RoomAnswer {
  readonly status: string;
  readonly exitCode: number | null;
  readonly said: string;
  readonly complained: string;
  readonly end: RoomEnd;
}

const [requestFile = '', answerFile = ''] = process.argv.slice(2);
const request = JSON.parse(readFileSync(requestFile, 'utf8')) as RoomRequest;
const { backend, runtimeFolder } = request;
const environment = {};
const scope = await loadScope({ file: request.scopeFile, environment, resolve: hostResolver(), now: Date.now() });
const open = gatedRooms({
  scope,
  backend,
  runtimeFolder,
  dockerSocket: '/nonexistent/docker.sock',
  connections: new Pacer(scope.rate.connectionsPerSecond),
  requests: new Pacer(scope.rate.requestsPerSecond),
  mostConnections: scope.concurrency.connections,
});

async function stray({ url, screened, tries }: RoomRequest['rooms'][number]): Promise<RoomAnswer> {
  const id = newRunId();
  const folder = join(request.folder, id);
  mkdirSync(folder, { recursive: true });
  const pace = { ...scope.rate, connections: scope.concurrency.connections };
  const limits = { urls: scope.urls.map(({ href }) => href), methods: scope.methods };
  const timeoutMs = 80_000;
  const aim = aimMeans(scope).url(url);
  const room = await open({ id, aim, limits, pace, screened, credential: null, timeoutMs, folder });
  let end: RoomEnd;
  let ran: RunEnd;
  try {
    ran = await room.run({
      argv: [process.execPath, strayNames.program, strayNames.tries],
      files: strayFiles(tries, { timeoutMs: 900 }),
      environment: {},
      timeoutMs,
      signal: new AbortController().signal,
    });
  } finally {
    end = await room.close();
  }
  const { status, exitCode, stdout, stderr } = ran;
  return { status, exitCode, said: stdout.toString(), complained: stderr.toString(), end };
}

writeFileSync(answerFile, JSON.stringify(await Promise.all(request.rooms.map(stray))));
