import { loadSettings } from '../settings/index.ts';
import { openJobBoard } from '../tools/job-board.ts';
import { buildServer, type ServerFactory, type ServerWishes } from './build-server.ts';
import { type HttpDoor, type HttpWishes, openHttpDoor } from './http/listen.ts';
import type { Log } from './log.ts';
import { sampleToolset } from './sample-toolset.ts';

/** A door over the sample tools, for tests. */

export const silentLog: Log = { info: () => {}, debug: () => {} };

export async function sampleFactory(wishes: Partial<ServerWishes> = {}): Promise<ServerFactory> {
  const caller = { environment: {}, folder: '/', homeFolder: '/nonexistent', userId: 0 };
  const settings = await loadSettings({}, caller);
  return buildServer({
    toolsets: [sampleToolset()],
    isReadOnly: false,
    allow: [],
    deny: [],
    context: { settings, folder: '/', environment: {}, homeFolder: '/nonexistent', jobs: openJobBoard() },
    version: '0.0.0',
    log: silentLog,
    ...wishes,
  });
}

export async function openSampleDoor(
  http: Partial<HttpWishes> = {},
  wishes: Partial<ServerWishes> = {},
): Promise<HttpDoor> {
  return openHttpDoor({
    host: '127.0.0.1',
    port: 0,
    token: null,
    isOpenToAll: false,
    hostNames: [],
    tls: null,
    log: silentLog,
    makeServer: await sampleFactory(wishes),
    ...http,
  });
}
