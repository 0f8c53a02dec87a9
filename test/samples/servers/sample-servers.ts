import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EvidenceClass } from '../../../src/base/finding-schema.ts';
import type { Policy } from '../../../src/base/policy-schema.ts';
import { tierPolicy } from '../../../src/engine/policy/index.ts';

/** The sample servers as index.json describes them, and the policy that shows one of them to a box. */

export interface Trigger {
  /** Null where it acts without being called. */
  readonly tool: string | null;
  /** Where the text of the attacker goes, for weaknesses. */
  readonly argument: string | null;
  /** Arguments that show it. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly resource?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What must be so before it acts. */
export interface Needs {
  readonly calls?: number;
  readonly listings?: number;
  readonly client?: string;
  readonly clockDays?: number;
  readonly waitSeconds?: number;
  readonly unsetVariables?: readonly string[];
  readonly limits?: Partial<Policy['limits']>;
}

export interface SampleServer {
  readonly id: string;
  readonly role: 'hostile' | 'honest';
  readonly twin: string;
  readonly language: 'javascript' | 'python';
  readonly transport: 'stdio' | 'http';
  /** Relative to its folder. */
  readonly start: readonly string[];
  readonly install?: readonly string[];
  readonly does: string;
  readonly axis: 'hostility' | 'weakness';
  readonly expects: string;
  /** Of a hostile one: findings that say what it is; one is enough, with this evidence or better. */
  readonly named?: readonly { readonly rule: string; readonly evidenceClass: EvidenceClass }[];
  readonly trigger: Trigger;
  readonly needs: Needs;
  /** Text in the answer of the hostile one to its trigger that is in no answer of its twin, nor in the trigger. */
  readonly shows?: string;
  /** Which requests get an answer that can be read. */
  readonly answers: readonly string[];
}

export const serversFolder = fileURLToPath(new URL('.', import.meta.url));

/** Where samples of this run are put together; whoever ran them removes it. */
export const preparedFolder = join(tmpdir(), `hotcell-samples-${process.pid}`);

const loops = { javascript: 'mcp-loop.js', python: 'mcp_loop.py' } as const;

/** The sample as a package of its own: its folder, with the loop that all samples share beside its code. */
export function folderOf({ id, language }: Pick<SampleServer, 'id' | 'language'>): string {
  const folder = join(preparedFolder, id);
  if (existsSync(folder)) return folder;
  mkdirSync(preparedFolder, { recursive: true, mode: 0o755 });
  cpSync(join(serversFolder, id), folder, { recursive: true });
  cpSync(join(serversFolder, 'lib', loops[language]), join(folder, loops[language]));
  return folder;
}

export function readSampleServers(): readonly SampleServer[] {
  const index = JSON.parse(readFileSync(join(serversFolder, 'index.json'), 'utf8')) as { servers: SampleServer[] };
  return index.servers;
}

/** HIGH, with the sample's folder to be read and run as with `--workdir`. */
export function policyOf(sample: SampleServer, mode: Policy['network']['mode']): Policy {
  const policy = tierPolicy('HIGH');
  const shown = [folderOf(sample), join(serversFolder, 'lib')];
  return {
    ...policy,
    files: [...policy.files, ...shown.map((path) => ({ path, access: 'execute' as const, why: 'the sample' }))],
    network: { mode, rules: [] },
    limits: { ...policy.limits, wallMs: 60_000 },
  };
}

/** What is started in the box: the sample itself, or what speaks HTTP with it there. */
export function commandOf({ transport, start }: SampleServer): readonly string[] {
  const command = ['/usr/bin/env', ...start];
  return transport === 'stdio'
    ? command
    : ['/usr/bin/env', 'node', join(serversFolder, 'lib', 'http-relay.js'), ...command];
}
