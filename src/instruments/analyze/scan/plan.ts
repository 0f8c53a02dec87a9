import { readFile } from 'node:fs/promises';
import { describeError, UsageError } from '../../../base/errors.ts';
import { mebibyte } from '../../../base/limits.ts';
import type { ConfiguredServer, Platform } from '../../../targets/ingest/client-config/contract.ts';
import { findClientConfigs } from '../../../targets/ingest/client-config/find.ts';
import { readClientConfig } from '../../../targets/ingest/client-config/read.ts';
import { describeServer, targetOfServer } from '../../../targets/ingest/client-config/server-target.ts';
import { parseCommand } from '../../../targets/ingest/target/command/parse-command.ts';
import type { ParsedTarget, TargetContext } from '../../../targets/ingest/target/contract.ts';
import { describeTarget, parseTarget } from '../../../targets/ingest/target/parse.ts';
import { readServerManifest } from '../../../targets/ingest/target/server-manifest.ts';

/** What is to be scanned: targets as they were typed, and the servers of client configs in their place. */

export interface PlannedTarget {
  /** As a person would write it, without secrets. */
  readonly spec: string;
  readonly target: ParsedTarget;
  /** The config that it was found in. */
  readonly config?: { readonly path: string; readonly client: string; readonly server: string };
}

export interface Plan {
  readonly targets: readonly PlannedTarget[];
  /** Config files that were read, with what was wrong in them. */
  readonly configs: readonly { readonly path: string; readonly client: string; readonly servers: number }[];
  readonly problems: readonly string[];
}

export interface PlanContext extends TargetContext {
  readonly home: string;
  readonly platform: Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

interface Gathered {
  readonly targets: PlannedTarget[];
  readonly configs: { path: string; client: string; servers: number }[];
  readonly problems: string[];
}

function planServer(server: ConfiguredServer, context: PlanContext, gathered: Gathered): void {
  const { client, name, where } = server;
  try {
    const target = targetOfServer(server, context);
    gathered.targets.push({ spec: describeServer(server), target, config: { path: where.path, client, server: name } });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    gathered.problems.push(`${where.path}: server ${JSON.stringify(name)}: ${error.message}`);
  }
}

async function addConfig(path: string, context: PlanContext, gathered: Gathered): Promise<void> {
  const config = await readClientConfig(path);
  gathered.configs.push({ path, client: config.client, servers: config.servers.length });
  for (const { path: where, what, line } of config.problems) {
    gathered.problems.push(`${where}${line === undefined ? '' : `:${line}`}: ${what}`);
  }
  for (const server of config.servers) planServer(server, context, gathered);
}

const largestManifestBytes = 4 * mebibyte;

/** A server.json offers packages and remote places: those are what is meant. */
async function addManifest(path: string, gathered: Gathered): Promise<void> {
  let manifest: unknown;
  try {
    const text = await readFile(path, 'utf8');
    if (text.length > largestManifestBytes) throw new UsageError('it is too large');
    manifest = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`cannot read ${JSON.stringify(path)}: ${describeError(cause)}`, { cause });
  }
  const { targets, problems } = readServerManifest(manifest);
  for (const target of targets) gathered.targets.push({ spec: describeTarget(target), target });
  for (const problem of problems) gathered.problems.push(`${path}: ${problem}`);
  if (targets.length === 0) throw new UsageError(`${JSON.stringify(path)} offers no package and no remote place`);
}

/** Several words may be targets; words after `--` are one command. None at all: what is configured on this machine. */
export async function planScan(
  words: readonly string[],
  command: readonly string[],
  context: PlanContext,
): Promise<Plan> {
  const gathered: Gathered = { targets: [], configs: [], problems: [] };
  if (command.length > 0) {
    const target = parseCommand(command, context);
    gathered.targets.push({ spec: describeTarget(target), target });
  }
  for (const word of words) {
    const target = parseTarget(word, context);
    if (target.kind === 'file' && target.format === 'client-config') await addConfig(target.path, context, gathered);
    else if (target.kind === 'file' && target.format === 'server-manifest') await addManifest(target.path, gathered);
    else gathered.targets.push({ spec: describeTarget(target), target });
  }
  if (words.length === 0 && command.length === 0) {
    const { home, platform, cwd, environment } = context;
    const applicationData = environment.APPDATA;
    const found = findClientConfigs({
      home,
      platform,
      cwd,
      ...(applicationData === undefined ? {} : { applicationData }),
    });
    for (const { path } of found) await addConfig(path, context, gathered);
  }
  return gathered;
}
