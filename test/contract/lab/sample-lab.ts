import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LabFlags } from '../../../src/doors/settings/index.ts';
import { loadSettings, readLabOptions } from '../../../src/doors/settings/index.ts';
import { callTool } from '../../../src/doors/tools/call-tool.ts';
import { labToolset } from '../../../src/doors/tools/lab/index.ts';
import { openSampleHost } from '../../../src/doors/tools/sample-host.ts';
import { type AnalyseOrder, analyseSample } from '../../../src/instruments/lab/analysis/analyse.ts';
import { Lab } from '../../../src/instruments/lab/lab.ts';
import { type CommandEnd, type CommandOrder, runCommand } from '../../../src/instruments/lab/operations/run-command.ts';
import type { LabReport } from '../../../src/instruments/lab/report/schema.ts';
import type { Sshd } from '../connector/places.ts';

/** A lab of the test's own: its folders and its home are temporary, everything else is real. */

export interface SampleLab {
  readonly lab: Lab;
  readonly root: string;
  readonly samples: string;
  readonly output: string;
  /** Lays a file into the samples folder, as somebody would who has access to it. */
  lay(name: string, content: Uint8Array | string): string;
  run(command: string, more?: Partial<CommandOrder>): Promise<CommandEnd>;
  analyse(file: string, more?: Partial<AnalyseOrder>): Promise<LabReport>;
  /** One call of a tool as a client makes it: the data of its answer, or its error. */
  call(name: string, input: Record<string, unknown>): Promise<Answered>;
  close(): Promise<void>;
}

export interface Answered {
  readonly isError: boolean;
  readonly data: Record<string, unknown>;
  readonly error: string;
  readonly code: string | undefined;
}

/** A limit of every test, not of the lab: nothing here is to wait for ever. */
const longestMs = 60_000;

/** A socket of docker is a setting of the machine and no flag of the lab. */
export type SampleFlags = LabFlags & { readonly dockerSocket?: string };

export async function openSampleLab({ dockerSocket, ...flags }: SampleFlags = {}): Promise<SampleLab> {
  const root = mkdtempSync(join(tmpdir(), 'hotcell-lab-'));
  // The user of a box has to pass through to the folder of the boxes.
  chmodSync(root, 0o755);
  const samples = join(root, 'samples');
  const output = join(root, 'output');
  const caller = { environment: {}, folder: root, homeFolder: root, userId: process.getuid?.() ?? 0 };
  const settings = await loadSettings(
    { home: join(root, 'home'), backend: 'bwrap', ...(dockerSocket === undefined ? {} : { dockerSocket }) },
    caller,
  );
  const options = readLabOptions({ samplesDir: samples, outputDir: output, ...flags }, caller, settings);
  const lab = await Lab.open(options);
  mkdirSync(samples, { recursive: true });
  mkdirSync(output, { recursive: true });
  const host = await openSampleHost({ lab: async () => lab });
  return {
    lab,
    root,
    samples,
    output,
    lay(name, content) {
      const path = join(samples, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    run: (command, more = {}) =>
      runCommand(lab, { command, timeoutMs: longestMs, signal: AbortSignal.timeout(longestMs), ...more }),
    analyse: (file, more = {}) =>
      analyseSample(lab, {
        file,
        depth: 'quick',
        toolTimeoutMs: null,
        passwords: [],
        isDetonated: false,
        detonationSeconds: 1,
        isFresh: false,
        signal: AbortSignal.timeout(longestMs),
        ...more,
      }),
    async call(name, input) {
      const definition = labToolset.tools.find((tool) => tool.name === name);
      if (definition === undefined) throw new Error(`there is no tool ${name}`);
      const { structured, isError, error } = await callTool(definition, input, host.host);
      const data = (structured as { data?: Record<string, unknown> }).data ?? {};
      return { isError, data, error: error?.message ?? '', code: error?.code };
    },
    async close() {
      await lab.close();
      await host.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The flags for a lab whose tools are on the other side of a connection. */
export function overSsh({ options }: Sshd): LabFlags {
  const { host, port, user, identityFile, knownHostsFile } = options;
  return { mode: 'ssh', host, port: String(port), user, identity: identityFile, knownHosts: knownHostsFile };
}
