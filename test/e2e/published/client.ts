import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { TestContext } from 'vitest';
import { readEntries, type StoredEntry } from '../../../src/engine/ledger/index.ts';
import { cleanEnvironment, program } from '../hotcell.ts';

/** A real client in front of a published server behind `hotcell run`, and what it is asked. */

/** A tool, what it is given, and what its answer has to say. */
export type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>, answer: RegExp];

export interface Opened {
  readonly client: Client;
  /** What hotcell and the server wrote to stderr so far. */
  stderr(): string;
}

export interface OpenOptions {
  readonly folder: string;
  readonly flags: readonly string[];
  readonly command: readonly string[];
  readonly cwd?: string;
  readonly capabilities?: ClientCapabilities;
  readonly prepare?: (client: Client) => void;
}

const noRegistry = /the registry cannot be used/;

/** Skips the test where packages cannot be had; ends the server with the test. */
export async function openServer(
  { folder, flags, command, cwd = '/', capabilities = {}, prepare }: OpenOptions,
  { skip, onTestFinished }: Pick<TestContext, 'skip' | 'onTestFinished'>,
): Promise<Opened> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  prepare?.(client);
  const env = cleanEnvironment({
    HOTCELL_HOME: join(folder, 'home'),
    HOTCELL_RUNTIME_FOLDER: join(folder, 'runtime'),
  });
  const args = ['run', '--backend', 'bwrap', ...flags, '--', ...command];
  const transport = new StdioClientTransport({ command: program, args, env, cwd, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  onTestFinished(() => client.close());
  try {
    await client.connect(transport);
  } catch (cause) {
    if (noRegistry.test(stderr)) skip('no registry answers');
    throw new Error(`it did not start: ${stderr}`, { cause });
  }
  return { client, stderr: () => stderr };
}

export interface Asked {
  readonly tool: string;
  readonly isError: boolean;
  readonly text: string;
}

export async function ask(client: Client, tool: string, given: Call[1]): Promise<Asked> {
  const result = await client.callTool({ name: tool, arguments: { ...given } });
  return { tool, isError: result.isError === true, text: JSON.stringify(result.content) };
}

/** The calls, one after the other; returns those that did not go as they should. */
export async function askAll(client: Client, calls: readonly Call[]): Promise<readonly Asked[]> {
  const wrong: Asked[] = [];
  for (const [tool, given, answer] of calls) {
    const asked = await ask(client, tool, given);
    if (asked.isError || !answer.test(asked.text)) wrong.push(asked);
  }
  return wrong;
}

/** Entries that say that a message of this server was refused, changed or found suspicious. */
export async function objections(folder: string, name: string): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  for await (const { entry } of readEntries(join(folder, 'home/ledger'))) {
    if (entry.server !== name || entry.action === 'policy.learn') continue;
    const isObjected = entry.verdict === 'refused' || entry.verdict === 'changed';
    if (isObjected || /^(text|secrets|canaries)\//.test(entry.rule ?? '')) found.push(entry);
  }
  return found;
}

/** Root's boxes run as users of their own: what they are to write has to let everybody. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    for (let each = dirname(path); each.startsWith(folder); each = dirname(each)) chmodSync(each, 0o777);
    writeFileSync(path, content);
    chmodSync(path, 0o666);
  }
}
