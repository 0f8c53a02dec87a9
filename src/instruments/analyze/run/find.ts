import type { Proof } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { asObject } from '../../../base/json-shape.ts';
import type { DetectorContext } from '../../../evidence/detector.ts';
import { runDetectors } from '../../../evidence/detectors/index.ts';
import { inspectMetadata } from '../inspect/metadata/index.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { firstVariant, listingFindings } from '../interrogate/listings/index.ts';
import { inspectResults } from '../interrogate/results/index.ts';
import {
  gatherMessageFaults,
  type HonestAnswer,
  promote,
  protocolFindings,
  type ToolBehaviour,
  toolBehaviour,
  trialFindings,
} from '../judge/index.ts';
import { behaviourProof } from './behaviour-proof.ts';
import { eventsAt, eventsOf } from './run-events.ts';

/** Everything that can be said about a target after it was inspected and let loose, each claim once. */

export interface Found {
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  readonly behaviour: ToolBehaviour;
}

export interface FindInput {
  readonly name: string;
  readonly folder: string;
  readonly inspected: readonly Finding[];
  readonly detonated: Detonated;
  readonly context: DetectorContext;
}

function metadataFindings(name: string, { listing, otherListings, handshake }: Detonated): readonly Finding[] {
  if (listing === null) return [];
  const objects = (list: readonly unknown[]) => list.map(asObject);
  return [listing, ...otherListings].flatMap(({ tools, prompts, resources, instructions }) => {
    const server = {
      name,
      instructions: handshake?.instructions ?? instructions,
      tools: objects(tools),
      prompts: objects(prompts),
      resources: objects(resources),
    };
    return inspectMetadata([server]).findings;
  });
}

function answersOf({ tools, otherCalls }: Detonated): readonly HonestAnswer[] {
  const own = tools.flatMap(({ tool, honest }) => honest.map(({ result }) => ({ name: tool.name, result })));
  const others = otherCalls.map(({ tool, call }) => ({ name: tool, result: call.result }));
  return [...own, ...others].map((answer, at) => ({ kind: 'tool' as const, callNumber: at + 1, ...answer }));
}

const noCounts = { cutFrames: 0, cutBytes: 0, floods: 0, noise: 0, notifications: 0, unreported: 0 };

async function protocolOf(detonated: Detonated, folder: string): Promise<readonly Finding[]> {
  const { handshake, start, listing, counts, crashes } = detonated;
  // A server that never ran has said nothing that could be judged.
  if (handshake === null) return [];
  return protocolFindings({
    handshake,
    ...(start.guess === undefined ? {} : { failure: start.guess }),
    listing,
    counts: counts ?? noCounts,
    answers: answersOf(detonated),
    crashes,
    faults: await gatherMessageFaults(eventsOf(folder)),
  });
}

/** What came back to the model, beside what we had put there ourselves. */
function resultsOf(detonated: Detonated): readonly Finding[] {
  const { tools, otherCalls, made, resourceCalls, listing, launch, world } = detonated;
  const honest = tools.flatMap(({ tool, honest: calls }) =>
    calls.map(({ input, result }) => ({ tool: tool.name, input: input.input, result, isTrial: false })),
  );
  const others = otherCalls.map(({ tool, call }) => ({
    tool,
    input: call.input.input,
    result: call.result,
    isTrial: false,
  }));
  const trials = made.map(({ trial, input, result }) => ({ tool: trial.tool, input, result, isTrial: true }));
  const secrets = Object.entries(launch?.environment ?? {}).map(([name, value]) => ({ name, value }));
  return inspectResults([...honest, ...others, ...trials, ...resourceCalls], [world.url, world.domain, world.root], {
    tools: listing?.tools ?? [],
    secrets: secrets.filter(({ name }) => /key|token|secret|password/i.test(name)),
  });
}

/** The events that verdicts and findings point to. */
function positionsIn(detonated: Detonated, findings: readonly Finding[]): ReadonlySet<number> {
  const named = findings.flatMap(({ evidence }) =>
    evidence.flatMap(({ ref }) => {
      const seq = /^event:(\d+)$/.exec(ref)?.[1];
      return seq === undefined ? [] : [Number(seq)];
    }),
  );
  return new Set([...named, ...detonated.proven.flatMap(({ verdict }) => verdict.events)]);
}

function oncePerId(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [finding.id, finding])).values()];
}

export async function findAll({ name, folder, inspected, detonated, context }: FindInput): Promise<Found> {
  const detected = await runDetectors(eventsOf(folder), context);
  const places = { tmp: detonated.folders.tmp, ownFolders: context.ownFolders };
  const behaviour = await toolBehaviour(eventsOf(folder), detonated.listing?.tools ?? [], places);
  const events = await eventsAt(folder, positionsIn(detonated, detected));
  const trials = trialFindings(detonated.proven, { target: name, events });
  const made = detonated.made.map(({ trial }) => ({ tool: trial.tool, class: trial.class }));
  const promoted = promote(inspected, trials, made);
  const listings = detonated.differences.flatMap(({ cause, compared }) => listingFindings(compared, cause));
  const proofs = detected.map((finding) => behaviourProof(finding, { target: name, events, detonated, firstVariant }));
  return {
    findings: oncePerId([
      ...promoted.findings,
      ...detected,
      ...behaviour.findings,
      ...listings,
      ...detonated.findings,
      ...metadataFindings(name, detonated),
      ...(await protocolOf(detonated, folder)),
      ...resultsOf(detonated),
    ]),
    proofs: [...promoted.proofs, ...proofs].slice(0, 500),
    behaviour,
  };
}
