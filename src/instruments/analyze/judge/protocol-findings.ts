import type { Evidence, EvidenceClass, Finding } from '../../../base/finding-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { eventEvidence } from '../../../evidence/detectors/behaviour-finding.ts';
import { excerpt, makeFinding } from '../inspect/rule.ts';
import type { ProtocolRecord } from './contract.ts';
import { protocolRules } from './protocol-rules.ts';

/** What was broken in the conversation, and what stood in the answers. */

/** Progress is told a few hundred times at most. */
const floodMessages = 1000;
const floodBytes = 16 * mebibyte;
const mostShown = 6;

function told(ref: string, text: string): Evidence {
  return { kind: 'response', ref, excerpt: excerpt(text, 1024) };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MB`;
}

function listed(
  rule: (typeof protocolRules)['handshake' | 'listing'],
  ref: string,
  problems: readonly string[],
): Finding[] {
  if (problems.length === 0) return [];
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : '';
  return [
    makeFinding(rule, {
      identity: [],
      title: `${rule.title}: ${problems[0]}${more}`,
      evidence: problems.slice(0, mostShown).map((problem) => told(ref, problem)),
    }),
  ];
}

function silence({ handshake, failure }: ProtocolRecord): Finding[] {
  if (handshake !== null) return [];
  const why = failure ?? 'no version of the protocol was agreed on';
  return [makeFinding(protocolRules.silent, { identity: [], evidenceClass: 'U', evidence: [told('initialize', why)] })];
}

function oversized({ counts, faults, answers }: ProtocolRecord): Finding[] {
  const largest = Math.max(counts.cutBytes, ...faults.large.map(({ fields }) => Number(fields.sizeBytes) || 0));
  if (faults.large.length === 0 && counts.cutFrames === 0) return [];
  const cut = answers.find(({ result }) => result.outcome === 'invalid' && result.text.droppedBytes > mebibyte);
  const whose = cut === undefined ? '' : `, in the answer of ${cut.kind} "${cut.name}"`;
  return [
    makeFinding(protocolRules.oversized, {
      identity: [],
      title: `Sends a message of ${megabytes(largest)}${whose}`,
      evidenceClass: 'B',
      evidence: [
        told('conversation', `${counts.cutFrames} messages beyond the cap, ${counts.cutBytes} bytes not kept`),
        ...faults.large.map((event) => eventEvidence(event, `a message of ${String(event.fields.sizeBytes)} bytes`)),
      ],
    }),
  ];
}

function flood({ counts, faults }: ProtocolRecord): Finding[] {
  const { count = 0, bytes = 0, first } = faults.flood ?? {};
  const isSingle = faults.large.length > 0 && count < floodMessages;
  const isFlood = counts.floods > 0 || counts.unreported > floodMessages || count > floodMessages || bytes > floodBytes;
  // One message of that size is told as such.
  if (!isFlood || (isSingle && counts.floods === 0)) return [];
  const most = Math.max(count, counts.notifications + counts.noise);
  return [
    makeFinding(protocolRules.flood, {
      identity: [],
      title: `Floods its client: ${most} messages${bytes > mebibyte ? `, ${megabytes(bytes)}` : ''} within one call`,
      evidenceClass: 'B',
      evidence: [
        told(
          'conversation',
          `${counts.notifications} notifications, ${counts.noise} of noise, ${counts.floods} floods`,
        ),
        ...(first === undefined ? [] : [eventEvidence(first, 'the first of them')]),
      ],
    }),
  ];
}

function brokenMessages({ faults }: ProtocolRecord): Finding[] {
  if (faults.brokenCount === 0) return [];
  return [
    makeFinding(protocolRules.broken, {
      identity: [],
      title: `Answers with what is no JSON, ${faults.brokenCount === 1 ? 'once' : `${faults.brokenCount} times`}`,
      evidenceClass: 'C',
      evidence: faults.broken.map((event) => eventEvidence(event, JSON.stringify(event.fields.content))),
    }),
  ];
}

/** Only where a tool answered not one of its honest calls: anything else is a slow day. */
function unanswered({ answers }: ProtocolRecord): Finding[] {
  const byName = Map.groupBy(answers, ({ kind, name }) => `${kind} ${name}`);
  return [...byName.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || !group.every(({ result }) => result.outcome === 'timeout')) return [];
    return makeFinding(protocolRules.noAnswer, {
      identity: [first.kind, first.name],
      title: `${first.kind} "${first.name}" answers none of ${group.length} honest calls`,
      evidenceClass: 'U',
      evidence: group
        .slice(0, mostShown)
        .map(({ kind, name, callNumber, result }) =>
          told(
            `${kind}:${name}, call ${callNumber}`.slice(0, 4608),
            `no answer within ${Math.round(result.durationMs)} ms`,
          ),
        ),
    });
  });
}

function crashes({ crashes: all }: ProtocolRecord): Finding[] {
  const byTool = Map.groupBy(all, ({ tool, during }) => `${during} ${tool}`);
  return [...byTool.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const isTrial = first.during === 'trial';
    const evidenceClass: EvidenceClass = isTrial ? 'B' : 'C';
    return makeFinding(protocolRules.crash, {
      identity: [first.during, first.tool],
      title: `Ends during call ${first.callNumber}, ${isTrial ? 'a trial' : 'an honest call'} of tool "${first.tool}"`,
      evidenceClass,
      evidence: group
        .slice(0, mostShown)
        .map(({ tool, callNumber, trial }) =>
          told(
            `call:${callNumber}`,
            `tools/call ${tool}${trial === undefined ? '' : `, trial ${trial}`}: the server went away`,
          ),
        ),
    });
  });
}

export function protocolFindings(record: ProtocolRecord): readonly Finding[] {
  return [
    ...silence(record),
    ...listed(protocolRules.handshake, 'initialize', record.handshake?.problems ?? []),
    ...listed(protocolRules.listing, 'list', record.listing?.problems ?? []),
    ...oversized(record),
    ...flood(record),
    ...brokenMessages(record),
    ...unanswered(record),
    ...crashes(record),
  ];
}
