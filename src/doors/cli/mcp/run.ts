import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { describeError, exitCodes, UsageError } from '../../../base/errors.ts';
import { buildServer } from '../../mcp/build-server.ts';
import { type Log, openLog } from '../../mcp/log.ts';
import { selectTools } from '../../mcp/select-tools.ts';
import {
  flagName,
  type LabFlags,
  type ProbeFlags,
  readLabOptions,
  readProbeOptions,
  repeatLabFlags,
  repeatProbeFlags,
  settingKeys,
} from '../../settings/index.ts';
import type { Toolset } from '../../tools/contract.ts';
import { toolsets } from '../../tools/index.ts';
import { openJobBoard } from '../../tools/job-board.ts';
import { openToolLab } from '../../tools/open-tool-lab.ts';
import { openToolLedger } from '../../tools/open-tool-ledger.ts';
import { openToolProbe } from '../../tools/open-tool-probe.ts';
import { readVersion } from '../../tools/version.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf, type Interrupts, withInterrupts } from '../interrupts.ts';
import { printConfig } from './print-config.ts';
import { type HttpOptions, type McpOptions, type McpWishes, pickToolsets, readMcpOptions } from './wishes.ts';

/** It lies four folders up, both in src and in dist. */
const program = fileURLToPath(new URL('../../../../bin/hotcell', import.meta.url));
/** All of the ending, jobs included, has to fit into three seconds. */
const closeJobsMs = 2500;
const mostScans = 72;

/** Settings that were said on this command line are said on the printed one too. */
function repeatSettings({ settings }: Door): readonly string[] {
  return settingKeys
    .filter((key) => settings.origins[key].kind === 'flag')
    .flatMap((key) => [flagName(key), settings.values[key]]);
}

/** Flags of the instrument whose own command serves its tools. */
export type InstrumentFlags =
  | { readonly instrument: 'lab'; readonly flags: LabFlags }
  | { readonly instrument: 'probe'; readonly flags: ProbeFlags };

/** The words that serve the same again. */
function repeatInstrument(given: InstrumentFlags, { caller, settings }: Door): readonly string[] {
  if (given.instrument === 'lab') {
    readLabOptions(given.flags, caller, settings);
    return ['lab', ...repeatLabFlags(given.flags)];
  }
  const { scopeFile } = readProbeOptions(given.flags, caller, settings);
  // A client starts it from wherever it likes.
  return ['probe', ...repeatProbeFlags({ ...given.flags, scope: scopeFile ?? undefined })];
}

function print(wishes: McpWishes, door: Door, given: InstrumentFlags | null): number {
  if (wishes.printFor === null) return exitCodes.clean;
  const repeated = given === null ? null : repeatInstrument(given, door);
  const { file, json } = printConfig(wishes.printFor, wishes, program, repeatSettings(door), repeated);
  door.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  if (door.settings.values.logLevel !== 'quiet') door.stderr.write(`This goes into ${file}.\n`);
  return exitCodes.clean;
}

async function readTlsFile(flag: string, path: string, door: Door): Promise<Buffer> {
  try {
    return await readFile(resolve(door.caller.folder, path));
  } catch (error) {
    throw new UsageError(`${flag}: ${describeError(error)}`);
  }
}

type Made = ReturnType<typeof buildServer>;

async function serveHttp(http: HttpOptions, makeServer: Made, log: Log, door: Door, end: AbortSignal): Promise<void> {
  const { openHttpDoor } = await import('../../mcp/http/listen.ts');
  const tls =
    http.tlsFiles === null
      ? null
      : {
          cert: await readTlsFile('--tls-cert', http.tlsFiles.cert, door),
          key: await readTlsFile('--tls-key', http.tlsFiles.key, door),
        };
  const { tlsFiles: _files, ...wishes } = http;
  // Thousands of small requests would let V8 triple the space for young objects, which it never gives back; as large as it
  // is after the start, it is collected more often and no call takes longer.
  setFlagsFromString('--semi-space-growth-factor=1');
  const open = await openHttpDoor({ ...wishes, tls, makeServer, log });
  try {
    log.info('serving', { transport: 'http', url: open.url, hasToken: http.token !== null });
    if (!end.aborted) await new Promise((resolve) => end.addEventListener('abort', resolve, { once: true }));
    log.info('ending', open.counts());
  } finally {
    await open.close();
  }
}

async function findUnavailable(picked: readonly Toolset[]): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(picked.map((toolset) => toolset.findUnavailable?.() ?? new Map()));
  return new Map(found.flatMap((each) => [...each]));
}

async function serve(
  wishes: McpWishes,
  door: Door,
  interrupts: Interrupts,
  given: InstrumentFlags | null,
): Promise<void> {
  const { caller, settings } = door;
  const log = openLog(door.stderr, settings.values.logLevel);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of [interrupts.signal, door.readerGone]) {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  }
  // What an instrument is set up with is wrong at once or never.
  const labFlags = given?.instrument === 'lab' ? given.flags : {};
  const lab = openToolLab(wishes.toolsetIds.includes('lab') ? readLabOptions(labFlags, caller, settings) : null);
  const probeFlags = given?.instrument === 'probe' ? given.flags : {};
  const isProbe = wishes.toolsetIds.includes('probe');
  const probe = openToolProbe(isProbe ? readProbeOptions(probeFlags, caller, settings) : null);
  // The scope is loaded now and stays: a file that is changed later changes nothing.
  if (isProbe) await probe.open();
  // Scans wait in a queue of their own, so that one client never keeps another from asking.
  const jobs = openJobBoard({ closeMs: closeJobsMs, ...(isProbe ? { mostRunning: mostScans } : {}) });
  const ledger = openToolLedger(settings.values);
  try {
    const picked = pickToolsets(wishes.toolsetIds, toolsets);
    const makeServer = buildServer({
      toolsets: picked,
      unavailable: await findUnavailable(picked),
      isReadOnly: wishes.isReadOnly,
      allow: wishes.allow,
      deny: wishes.deny,
      context: {
        settings,
        folder: caller.folder,
        environment: caller.environment,
        homeFolder: caller.homeFolder,
        jobs,
        lab: lab.open,
        probe: probe.open,
        record: ledger.record,
      },
      version: await readVersion(),
      log,
      stop: stop.signal,
    });
    if (wishes.http !== null) return await serveHttp(wishes.http, makeServer, log, door, stop.signal);
    const { serveOverStdio } = await import('../../mcp/stdio/serve.ts');
    await serveOverStdio({ input: door.stdin, output: door.stdout, makeServer, log, signal: stop.signal });
  } finally {
    stop.abort();
    await jobs.close();
    await lab.close();
    await probe.close();
    await ledger.close();
    log.info('ended');
    log.flush?.();
  }
}

export async function runMcpCommand(
  options: McpOptions,
  door: Door,
  given: InstrumentFlags | null = null,
): Promise<number> {
  const wishes = readMcpOptions(options, door.caller.environment);
  // What is printed is checked as far as what is served.
  if (wishes.printFor !== null) {
    selectTools(pickToolsets(wishes.toolsetIds, toolsets), wishes);
    return print(wishes, door, given);
  }
  return withInterrupts(async (interrupts) => {
    await serve(wishes, door, interrupts, given);
    const received = interrupts.received();
    return received === null ? exitCodes.clean : exitCodeOf(received);
  });
}
