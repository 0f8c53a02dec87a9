import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labToolset } from '../../../src/doors/tools/lab/index.ts';
import { hasDockerEngine, hasSshd, openContainer, openSshd } from '../../contract/connector/places.ts';
import { type AnyClient, openNew } from '../mcp/clients.ts';
import { serveHttp } from '../mcp/served.ts';
import { type Bench, calls, type Data, expect64, openBench } from './calls.ts';

/** Every tool of the lab, over stdio and over HTTP, on this machine, in a container and over ssh: all real. */

type Environment = Record<string, string>;

interface LabPlace {
  readonly environment: Environment;
  close(): Promise<void>;
}

const token = 'a-token-for-tests-0123456789';
const root = mkdtempSync(join(tmpdir(), 'hotcell-lab-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folders(base: string): Environment {
  return {
    HOTCELL_LAB_SAMPLES_DIR: join(base, 'samples'),
    HOTCELL_LAB_OUTPUT_DIR: join(base, 'output'),
  };
}

const places: readonly {
  readonly mode: string;
  readonly open: () => Promise<LabPlace>;
  readonly missing: string | null;
}[] = [
  {
    mode: 'local',
    missing: null,
    open: async () => ({
      environment: { ...folders(join(root, 'local', 'lab')), HOTCELL_BACKEND: 'bwrap' },
      close: async () => {},
    }),
  },
  {
    mode: 'docker',
    missing: hasDockerEngine() ? null : 'no docker engine is installed',
    open: async () => {
      const container = await openContainer();
      const { socketPath, container: name, user } = container.options;
      return {
        environment: {
          ...folders('/tmp/lab'),
          HOTCELL_LAB_MODE: 'docker',
          HOTCELL_LAB_CONTAINER: name,
          HOTCELL_DOCKER_SOCKET: socketPath,
          ...(user === undefined ? {} : { HOTCELL_LAB_CONTAINER_USER: user }),
        },
        close: () => container.close(),
      };
    },
  },
  {
    mode: 'ssh',
    missing: hasSshd() ? null : 'no sshd is installed',
    open: async () => {
      const sshd = await openSshd();
      const { host, port, user, identityFile, knownHostsFile } = sshd.options;
      return {
        environment: {
          ...folders(join(root, 'ssh', 'lab')),
          HOTCELL_LAB_MODE: 'ssh',
          HOTCELL_LAB_HOST: host,
          HOTCELL_LAB_PORT: String(port),
          HOTCELL_LAB_USER: user,
          HOTCELL_LAB_IDENTITY: identityFile,
          HOTCELL_LAB_KNOWN_HOSTS: knownHostsFile,
        },
        close: () => sshd.close(),
      };
    },
  },
];

function withDigests(expected: Data): Data {
  return Object.fromEntries(
    Object.entries(expected).map(([key, value]) => [
      key,
      value === expect64 ? expect.stringMatching(/^[0-9a-f]{64}$/) : value,
    ]),
  );
}

async function callAll(client: AnyClient, bench: Bench, mode: string): Promise<void> {
  for (const { name, input, expected } of calls) {
    const answer = await client.call(name, input(bench));
    expect(answer.isError ?? false, `${name}: ${JSON.stringify(answer.content)}`).toBe(false);
    const { success, tool, data, metadata } = answer.structuredContent as {
      success: boolean;
      tool: string;
      data: Data;
      metadata: Data;
    };
    expect({ success, tool }).toEqual({ success: true, tool: name });
    expect(metadata).toMatchObject({ mode, confinement: expect.stringMatching(/./) });
    expect(data, name).toMatchObject(withDigests(expected(bench)));
  }
}

describe.each(places)('the lab in mode $mode', ({ mode, open, missing }) => {
  const state: { place?: LabPlace; bench?: Bench } = {};
  beforeAll(async () => {
    if (missing !== null) return;
    state.place = await open();
  });
  afterAll(async () => {
    await state.place?.close();
  });

  it.for(['stdio', 'http'] as const)('answers every tool over %s', async (transport, { skip }) => {
    if (missing !== null) skip(missing);
    if (state.place === undefined) throw new Error('the place did not open');
    const folder = mkdtempSync(join(root, `${mode}-${transport}-`));
    const bench = await openBench(folder);
    const suffix = `-${transport}`;
    const environment: Environment = {
      ...state.place.environment,
      HOTCELL_LAB_SAMPLES_DIR: `${state.place.environment.HOTCELL_LAB_SAMPLES_DIR}${suffix}`,
      HOTCELL_LAB_OUTPUT_DIR: `${state.place.environment.HOTCELL_LAB_OUTPUT_DIR}${suffix}`,
      HOTCELL_HOME: join(folder, 'home'),
      HOTCELL_LAB_ALLOW_HOST: bench.allowedHost,
    };
    const args = ['--tools', 'lab'];
    const served = transport === 'http' ? await serveHttp(args, { ...environment, MCP_TOKEN: token }) : null;
    const client = await openNew('auto', served === null ? { args, environment } : { url: served.url, token });
    try {
      const names = new Set(calls.map(({ name }) => name));
      expect(new Set(await client.tools())).toEqual(new Set(labToolset.tools.map(({ name }) => name)));
      expect(names.size).toBe(19);
      await callAll(client, bench, mode);
      expect(existsSync(join(bench.hostFolder, 'out', 'dropper.sh.zip'))).toBe(true);
      expect(readdirSync(join(bench.hostFolder, 'out'))).toHaveLength(1);
      expect(readFileSync(join(bench.hostFolder, 'dropper.sh'), 'utf8')).toContain('stage2.bin');
    } finally {
      await client.close();
      await served?.end();
      bench.close();
    }
  });
});
