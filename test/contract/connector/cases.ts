import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Connector, openDocker, openLocal, openSsh } from '../../../src/engine/connector/index.ts';
import {
  type DockerEngine,
  hasDockerEngine,
  hasSshd,
  openContainer,
  openSshd,
  type Sshd,
  startDockerEngine,
} from './places.ts';

/** One suite for all places: what a caller may rely on is the same in each. */

export const quick = { timeoutMs: 20_000 };
export const mebibyte = 1024 * 1024;

export interface Place {
  readonly at: Connector;
  /** Empty, and the test's own. */
  readonly folder: string;
  /** Another connector to the same place. */
  again(): Connector;
}

interface Opened {
  connect(): Connector;
  close(): Promise<void>;
}

interface Case {
  readonly name: string;
  /** Why it cannot be tried on this machine. */
  readonly missing: string | undefined;
  open(): Promise<Opened>;
}

async function nothing(): Promise<void> {}

function listCases(services: { readonly engine: () => DockerEngine; readonly sshd: () => Sshd }): readonly Case[] {
  const noEngine = hasDockerEngine() ? undefined : 'no dockerd';
  const inContainer = async (kind: 'whole' | 'bare', user?: string): Promise<Opened> => {
    const name = `place-${randomBytes(4).toString('hex')}`;
    const container = await openContainer({ kind, name, engine: services.engine() });
    const options = { ...container.options, ...(user === undefined ? {} : { user }) };
    return { connect: () => openDocker(options), close: container.close };
  };
  return [
    { name: 'local', missing: undefined, open: async () => ({ connect: openLocal, close: nothing }) },
    { name: 'docker', missing: noEngine, open: () => inContainer('whole', 'analyst') },
    { name: 'docker, with a shell and twelve tools', missing: noEngine, open: () => inContainer('bare') },
    {
      name: 'ssh',
      missing: hasSshd() ? undefined : 'no sshd',
      open: async () => ({ connect: () => openSsh(services.sshd().options), close: nothing }),
    },
  ];
}

function given<Service>(service: Service | undefined): Service {
  if (service === undefined) throw new Error('it did not start');
  return service;
}

export function describePlaces(suite: (place: Place) => void): void {
  let engine: DockerEngine | undefined;
  let sshd: Sshd | undefined;
  beforeAll(async () => {
    [engine, sshd] = await Promise.all([
      hasDockerEngine() ? startDockerEngine() : undefined,
      hasSshd() ? openSshd() : undefined,
    ]);
  });
  afterAll(async () => {
    await Promise.all([engine?.close(), sshd?.close()]);
  });

  for (const { name, missing, open } of listCases({ engine: () => given(engine), sshd: () => given(sshd) })) {
    const title = missing === undefined ? `connector ${name}` : `connector ${name} (not tried: ${missing})`;
    describe.skipIf(missing !== undefined)(title, () => {
      let opened: Opened | undefined;
      let connector: Connector | undefined;
      const folder = `/tmp/hotcell-there-${randomBytes(6).toString('hex')}`;
      beforeAll(async () => {
        opened = await open();
        connector = opened.connect();
        await connector.check();
        await connector.makeFolder(folder);
      });
      afterAll(async () => {
        await connector?.exec(['rm', '-rf', '--', folder], quick);
        await connector?.close();
        await opened?.close();
      });
      suite({
        folder,
        get at() {
          return given(connector);
        },
        again: () => given(opened).connect(),
      });
    });
  }
}
