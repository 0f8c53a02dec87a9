import { mkdir } from 'node:fs/promises';
import type { Finding } from '../../../base/finding-schema.ts';
import { asObject } from '../../../base/json-shape.ts';
import { type Check, reportVersion } from '../../../base/report-schema.ts';
import { applyBaseline } from '../../../evidence/baseline.ts';
import { readRubric } from '../../../evidence/rubric.ts';
import { judge } from '../../../evidence/verdict.ts';
import type { CallResult, Handshake, Listing } from '../../../targets/conversation/contract.ts';
import { inspectMetadata } from '../inspect/metadata/index.ts';
import { excerpt } from '../inspect/rule.ts';
import { honestInputs, readKnowledge } from '../interrogate/arguments/index.ts';
import { runHttpChecks } from '../interrogate/http-checks/index.ts';
import { firstVariant } from '../interrogate/listings/index.ts';
import { callableTools, openRemote, type RemoteServer } from '../interrogate/remote/index.ts';
import { inspectResults } from '../interrogate/results/index.ts';
import { type PlannedTarget, targetOf } from '../scan/index.ts';
import type { Analysed, AnalyzeContext } from './contract.ts';
import { remoteWorld } from './remote-world.ts';

/** A server that runs elsewhere is only asked. Nothing but its answers is seen, so nothing is ever said to be clean. */

const mostCalls = 40;
const callTimeoutMs = 10_000;

interface Calls {
  readonly tool: string;
  readonly input: unknown;
  readonly result: CallResult;
  readonly isTrial: boolean;
}

async function useTools(server: RemoteServer, listing: Listing, { wishes, signal }: AnalyzeContext): Promise<Calls[]> {
  const allowed = wishes.remoteCalls ?? 'none';
  if (allowed === 'none') return [];
  const tools = callableTools(listing.tools, { honestCalls: true, intrusive: allowed === 'all' });
  const knowledge = readKnowledge();
  const calls: Calls[] = [];
  for (const tool of tools.slice(0, mostCalls)) {
    if (signal.aborted) break;
    const [input] = honestInputs(tool, remoteWorld, { seed: wishes.seed, knowledge, mostInputs: 1 });
    if (input === undefined) continue;
    const result = await server.conversation.call(tool.name, input.input, callTimeoutMs);
    calls.push({ tool: tool.name, input: input.input, result, isTrial: false });
  }
  return calls;
}

interface Asked {
  readonly handshake: Handshake;
  readonly listing: Listing;
  readonly calls: readonly Calls[];
  readonly findings: readonly Finding[];
  readonly missing: readonly string[];
}

async function ask(url: string, context: AnalyzeContext): Promise<Asked> {
  const { wishes, signal, onProgress } = context;
  onProgress({ kind: 'stage', stage: 'handshake' });
  await using server = await openRemote(url, wishes.headers, { identity: firstVariant.identity });
  const handshake = await server.conversation.handshake();
  onProgress({ kind: 'stage', stage: 'list' });
  const listing = await server.conversation.list();
  const metadata = {
    name: url,
    instructions: handshake.instructions ?? listing.instructions,
    tools: listing.tools.map(asObject),
    prompts: listing.prompts.map(asObject),
    resources: listing.resources.map(asObject),
  };
  onProgress({ kind: 'stage', stage: 'use' });
  const calls = await useTools(server, listing, context);
  const door = await runHttpChecks(server.httpTarget, { signal });
  return {
    handshake,
    listing,
    calls,
    findings: [
      ...inspectMetadata([metadata]).findings,
      ...door.findings,
      ...inspectResults(calls, [], { tools: listing.tools }),
    ],
    missing: [
      'a remote server is not in a box: what it does is not seen',
      ...server.steps.filter(({ isAllowed }) => !isAllowed).map(({ id, because }) => `${id}: ${because}`),
      ...door.notChecked.map(({ check, because }) => `HTTP check ${check}: ${because}`),
    ],
  };
}

export async function analyzeRemote(
  planned: PlannedTarget,
  url: string,
  context: AnalyzeContext,
  startedAt: Date,
): Promise<Analysed> {
  await mkdir(context.folder, { recursive: true, mode: 0o700 });
  const { handshake, listing, calls, findings: all, missing } = await ask(url, context);
  const { findings, suppressed } = applyBaseline(all, context.scan.baseline);
  for (const finding of findings) context.onProgress({ kind: 'finding', finding });
  const answered = new Set(calls.filter(({ result }) => result.outcome === 'answered').map(({ tool }) => tool));
  const coverage = {
    tools: { exercised: answered.size, all: listing.tools.length },
    parameters: { tried: 0, all: 0 },
    phases: ['handshake', 'list', ...(calls.length === 0 ? [] : ['use'])],
    missing: missing.slice(0, 40).map((line) => line.slice(0, 1024)),
  };
  const check: Check = {
    id: 'run/remote',
    title: 'Asking the remote server',
    is: 'done',
    facts: { calls: calls.length },
  };
  return {
    bom: null,
    folder: context.folder,
    report: {
      format: 'hotcell-report',
      version: reportVersion,
      instrument: 'analyze',
      tool: { name: 'hotcell', version: context.scan.toolVersion },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      isComplete: false,
      subjects: [
        {
          target: targetOf(planned),
          findings: [...findings],
          suppressed: [...suppressed],
          checks: [check],
          analysis: {
            run: 'remote',
            backend: 'none',
            verdict: judge(findings, coverage, false, readRubric()),
            start: { isStarted: true, transport: 'remote', argv: [], because: [], attempts: 1 },
            server: {
              name: excerpt(handshake.serverName, 256),
              version: excerpt(handshake.serverVersion, 256),
              protocol: excerpt(handshake.protocolVersion, 256),
            },
            phases: [],
            tools: listing.tools.slice(0, 2000).map((tool) => ({
              name: excerpt(tool.name, 256),
              ...(tool.description === undefined ? {} : { description: excerpt(tool.description, 2048) }),
              annotations: {},
              honestCalls: calls.filter((call) => call.tool === tool.name).length,
              answered: answered.has(tool.name) ? 1 : 0,
              trials: 0,
              observed: [],
              contradicted: [],
            })),
            calls: [],
            processes: [],
            files: [],
            hosts: [],
            listings: [],
            proofs: [],
            policy: null,
            refused: [],
            completeness: { isComplete: false, sensors: [] },
            notTried: [],
            leftOut: {},
          },
        },
      ],
    },
  };
}
