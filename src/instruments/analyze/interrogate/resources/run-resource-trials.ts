import type { Finding } from '../../../../base/finding-schema.ts';
import type { CallResult, Conversation } from '../../../../targets/conversation/contract.ts';
import { excerpt, makeFinding } from '../../inspect/rule.ts';
import { judgeTrial, type NotTried, settleVerdicts, type Verdict } from '../trials/index.ts';
import type { Observe, ResourceRequest, ResourceSession, ResourceTrial, ResourceTrials } from './contract.ts';
import { hasContents, neighboursOf } from './neighbours.ts';
import { resourceRules } from './rules.ts';

/** Asks for resources and prompts, honestly first, and judges by what the world shows. */

export interface RunOptions {
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
  readonly callTimeoutMs?: number;
}

type Asking = Pick<Conversation, 'readResource' | 'getPrompt'>;
type Call = ResourceSession['calls'][number];

const groupSize = 4;
const defaultTimeoutMs = 5000;

function ask(conversation: Asking, request: ResourceRequest, timeoutMs: number): Promise<CallResult> {
  return request.kind === 'resource'
    ? conversation.readResource(request.uri, timeoutMs)
    : conversation.getPrompt(request.name, request.input, timeoutMs);
}

function callOf(request: ResourceRequest, result: CallResult, isTrial: boolean): Call {
  return request.kind === 'resource'
    ? { tool: 'resources/read', input: { uri: request.uri }, result, isTrial }
    : { tool: `prompts/get ${request.name}`, input: request.input, result, isTrial };
}

async function lookBeside(
  conversation: Asking,
  uris: readonly string[],
  timeoutMs: number,
): Promise<{ findings: Finding[]; calls: Call[] }> {
  const findings: Finding[] = [];
  const calls: Call[] = [];
  for (const { of, uri, control } of neighboursOf(uris)) {
    const beside = await conversation.readResource(uri, timeoutMs);
    calls.push(callOf({ kind: 'resource', uri }, beside, true));
    if (!hasContents(beside)) continue;
    const nothing = await conversation.readResource(control, timeoutMs);
    if (nothing.outcome !== 'rpc-error') continue;
    const shown = excerpt(`listed: ${of}\nread: ${uri}\n${Buffer.from(beside.text.bytes).toString('utf8')}`, 600);
    const evidence = [{ kind: 'response' as const, ref: 'resources/read', excerpt: shown }];
    findings.push(makeFinding(resourceRules.neighbour, { identity: [of], evidence }));
  }
  return { findings, calls };
}

export async function runResourceTrials(
  conversation: Asking,
  { honest, trials, notTried }: ResourceTrials,
  observe: Observe,
  { deadlineMs, callTimeoutMs = defaultTimeoutMs }: RunOptions,
): Promise<ResourceSession> {
  const calls: Call[] = [];
  const verdicts: Verdict[] = [];
  const left: NotTried[] = [...notTried];
  const findings: Finding[] = [];
  let [tried, goneDuring] = [0, undefined as string | undefined];
  for (const request of honest) {
    const result = await ask(conversation, request, callTimeoutMs);
    calls.push(callOf(request, result, false));
    if (result.outcome === 'gone') goneDuring = 'an honest request';
    if (goneDuring !== undefined || performance.now() > deadlineMs) break;
  }
  const known = calls.map(({ result }) => result);
  if (goneDuring === undefined && performance.now() < deadlineMs) {
    const uris = honest.flatMap((request) => (request.kind === 'resource' ? [request.uri] : []));
    const beside = await lookBeside(conversation, uris, callTimeoutMs);
    findings.push(...beside.findings);
    calls.push(...beside.calls);
  }
  const groups = Map.groupBy(trials, ({ tool, position, class: kind }) => `${tool}\n${position.pointer}\n${kind}`);
  for (const group of groups.values()) {
    for (let at = 0; at < group.length; at += groupSize) {
      const part = group.slice(at, at + groupSize);
      if (goneDuring !== undefined || performance.now() > deadlineMs) {
        left.push(...part.map(overBudget));
        continue;
      }
      const seen = await observe(
        part.map(
          ({ request }) =>
            () =>
              ask(conversation, request, callTimeoutMs),
        ),
      );
      const proven = part.flatMap((trial, index): Verdict[] => {
        const observed = seen[index];
        if (observed === undefined) return [];
        calls.push(callOf(trial.request, observed.result, true));
        tried += 1;
        if (observed.result.outcome === 'gone') goneDuring ??= trial.id;
        const verdict = judgeTrial(trial, { ...observed, honest: known });
        return verdict === null ? [] : [verdict];
      });
      verdicts.push(...proven);
      if (proven.some(({ isByDesign }) => !isByDesign)) break;
    }
  }
  return {
    ...{ verdicts: settleVerdicts(verdicts), findings, calls, tried, notTried: left },
    ...(goneDuring === undefined ? {} : { goneDuring }),
  };
}

function overBudget({ class: kind, payload, tool, position }: ResourceTrial): NotTried {
  return { class: kind, payload, tool, pointer: position.pointer, reason: 'over-budget' };
}
