import type { Proof } from '../../../base/analysis-schema.ts';
import type { Event } from '../../../base/event-schema.ts';
import type { Evidence, EvidenceClass, Finding } from '../../../base/finding-schema.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import { excerpt, makeFinding } from '../inspect/rule.ts';
import { escapeClass, resourceRules } from '../interrogate/resources/index.ts';
import type { Verdict } from '../interrogate/trials/index.ts';
import type { ChainFacts, ProvenCall, Shown, TrialFindings } from './contract.ts';
import { proofOf } from './proof-chain.ts';
import { abilityRules, weaknessRules } from './weakness-rules.ts';

/** From what trials proved to findings: one per tool and class, however many payloads showed it. */

const mostEvidence = 8;
const mostNamed = 4;

function ruleOf({ class: kind, isByDesign }: Verdict): RuleText | undefined {
  if (kind === escapeClass) return isByDesign ? undefined : resourceRules.escape;
  return (isByDesign ? abilityRules : weaknessRules).get(kind);
}

/** Trials of resources and prompts are named by their method. */
function callOf({ verdict, made }: ProvenCall): unknown {
  const { tool } = verdict;
  if (tool.startsWith('resources/read')) return { method: 'resources/read', params: made.input };
  if (tool.startsWith('prompts/get ')) {
    return { method: 'prompts/get', params: { name: tool.slice('prompts/get '.length), arguments: made.input } };
  }
  return { method: 'tools/call', params: { name: tool, arguments: made.input } };
}

function callEvidence(proven: ProvenCall): Evidence {
  const ref = `trial:${proven.verdict.trial}`.slice(0, 4608);
  return { kind: 'response', ref, excerpt: excerpt(JSON.stringify(callOf(proven))) };
}

function eventEvidences({ verdict }: ProvenCall, events: ReadonlyMap<number, Event>): readonly Evidence[] {
  if (verdict.events.length === 0) return [];
  return verdict.events.slice(0, 3).map((seq) => {
    const event = events.get(seq);
    const told = event === undefined ? verdict.because : `${event.kind} ${JSON.stringify(event.fields)}`;
    return { kind: 'event', ref: `event:${seq}`, excerpt: excerpt(told, 1024) };
  });
}

function named(words: readonly string[]): string {
  const all = [...new Set(words)];
  const rest = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
  return `${all.slice(0, mostNamed).join(', ')}${rest}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Proof before observation, and what happened twice before what happened once. */
function best(calls: readonly ProvenCall[]): ProvenCall | undefined {
  const rank = ({ verdict, isConfirmed = true }: ProvenCall): number =>
    (verdict.evidenceClass === 'A' ? 0 : 2) + (isConfirmed ? 0 : 1);
  return calls.toSorted((one, other) => rank(one) - rank(other))[0];
}

function findingOf(rule: RuleText, calls: readonly ProvenCall[], strongest: ProvenCall, facts: ChainFacts): Finding {
  const { tool, class: kind, because, isByDesign } = strongest.verdict;
  const pointers = named(calls.map(({ verdict }) => verdict.pointer || '/'));
  const payloads = named(calls.map(({ verdict }) => verdict.payload));
  // What a tool is for decides nothing about it: as a hint it is told, and never more.
  const evidenceClass: EvidenceClass = isByDesign ? 'D' : strongest.verdict.evidenceClass;
  const summary: Evidence = {
    kind: 'response',
    ref: `tool:${tool}`.slice(0, 4608),
    excerpt: excerpt(`${because}; shown by ${payloads}`),
  };
  const ordered = [strongest, ...calls.filter((call) => call !== strongest)];
  return makeFinding(rule, {
    identity: [tool, kind],
    title: `Tool "${tool}", ${pointers}: ${lowerFirst(rule.title)}`,
    evidenceClass,
    evidence: [
      summary,
      ...ordered.slice(0, 3).flatMap((call) => [callEvidence(call), ...eventEvidences(call, facts.events)]),
    ].slice(0, mostEvidence),
    ...(isByDesign ? {} : { cwe: [...new Set(calls.flatMap(({ verdict }) => verdict.cwe))] }),
  });
}

/** A class that is unknown here is left out: a class is a file of data and a rule, and the tests hold them together. */
export function trialFindings(calls: readonly ProvenCall[], facts: ChainFacts): TrialFindings {
  const findings: Finding[] = [];
  const proofs: Proof[] = [];
  const shown: Shown[] = [];
  const groups = Map.groupBy(calls, ({ verdict }) => `${verdict.tool}\n${verdict.class}\n${verdict.isByDesign}`);
  for (const group of groups.values()) {
    const strongest = best(group);
    const rule = strongest === undefined ? undefined : ruleOf(strongest.verdict);
    if (strongest === undefined || rule === undefined) continue;
    const finding = findingOf(rule, group, strongest, facts);
    findings.push(finding);
    proofs.push(proofOf(finding.id, strongest, facts));
    const { tool, class: kind, isByDesign, evidenceClass } = strongest.verdict;
    const pointers = [...new Set(group.map(({ verdict }) => verdict.pointer))];
    shown.push({ finding: finding.id, tool, class: kind, isByDesign, evidenceClass, pointers });
  }
  return { findings, proofs, shown };
}
