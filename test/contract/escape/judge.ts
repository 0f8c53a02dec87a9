import { forTerminal, untrusted } from '../../../src/base/untrusted.ts';
import type { BackendId, ExitStatus } from '../../../src/engine/box/index.ts';
import type { Gap } from '../../../src/engine/policy/index.ts';
import type { Attempt } from './attempt.ts';

/** Decides from what was seen inside and outside what became of an attempt. */

export type Verdict = 'contained' | 'not-applicable' | 'escaped' | 'no-answer';

export interface Cell {
  readonly is: Verdict;
  readonly because: string;
}

export interface Evidence {
  readonly backend: BackendId;
  /** The end of what the program printed. */
  readonly output: string;
  readonly errors: string;
  /** Null when the program did not end. */
  readonly status: ExitStatus | null;
  /** What the host saw from outside: each line is an escape. */
  readonly outside: readonly string[];
  /** What the host got to see or could do that it should not have, when it acted for the attempt. */
  readonly hostClaim: string | null;
  /** What the backend says that it cannot do. */
  readonly gaps: readonly Gap[];
  /** Why the box itself failed, where it did. */
  readonly failure: string | null;
}

/** What only the host knows. */
export interface HostFacts {
  readonly secrets: readonly Buffer[];
  readonly hostFiles: readonly Buffer[];
  readonly words: readonly string[];
}

/** Backends whose targets talk to a kernel of their own and not to the host's. */
const ownKernel: readonly BackendId[] = ['gvisor'];
export const ownKernelAnswered = "the box's own kernel answered";
const shortestProof = 8;
const comparedBytes = 256;

function show(text: string): string {
  return forTerminal(untrusted(text, 300));
}

interface Answer {
  readonly is: 'contained' | 'escaped' | 'not-applicable';
  readonly text: string;
}

/** The last answer counts, unless any says that it got out. */
function findAnswer(output: string): Answer | null {
  const lines = [...output.matchAll(/^(contained|escaped|not-applicable): (.*)$/gm)];
  const answers = lines.map(([, is, text]) => ({ is, text: text ?? '' }) as Answer);
  return answers.find(({ is }) => is === 'escaped') ?? answers.at(-1) ?? null;
}

/** True when what the target shows can only come from the host. */
function isRecognised(attempt: Attempt, proof: string, facts: HostFacts): boolean {
  if (attempt.options.recognise === 'words') {
    const words = proof
      .replace(/^words /, '')
      .split(' ')
      .map((word) => Buffer.from(word, 'hex').toString());
    return words.some((word) => facts.words.includes(word));
  }
  const bytes = Buffer.from(proof.replace(/^bytes /, ''), 'hex');
  const isOfFile =
    bytes.length >= shortestProof && facts.hostFiles.some((file) => file.includes(bytes.subarray(0, comparedBytes)));
  return isOfFile || facts.secrets.some((secret) => bytes.includes(secret));
}

function judgeClaim(attempt: Attempt, proof: string, { backend, gaps }: Evidence, facts: HostFacts): Cell {
  const { recognise, asksKernel, gap } = attempt.options;
  if (recognise !== undefined && !isRecognised(attempt, proof, facts))
    return { is: 'contained', because: 'what it saw is its own' };
  if (asksKernel && ownKernel.includes(backend)) return { is: 'contained', because: ownKernelAnswered };
  const named = gaps.find(({ id }) => id === gap?.[backend]);
  if (named !== undefined) return { is: 'not-applicable', because: named.what };
  return { is: 'escaped', because: show(proof) };
}

/** Without an answer there must be a limit that ended it. */
function judgeSilence(attempt: Attempt, evidence: Evidence): Cell {
  const { status, errors, output } = evidence;
  if (status === null) return { is: 'no-answer', because: `it did not end: ${show(output.slice(-200))}` };
  const hit = status.limitsHit.find(({ limit }) => attempt.options.endsBy?.includes(limit));
  if (hit !== undefined) return { is: 'contained', because: `ended by its limit: ${hit.limit}` };
  const limits = status.limitsHit.map(({ limit }) => ` (${limit})`).join('');
  const end = `${status.code === null ? status.signal : `status ${status.code}`}${limits}`;
  return {
    is: 'no-answer',
    because: `ended by ${end} without an answer: ${show(`${output.slice(-200)} ${errors.slice(-200)}`)}`,
  };
}

export function judge(attempt: Attempt, evidence: Evidence, facts: HostFacts): Cell {
  const { outside, failure, output } = evidence;
  if (outside.length > 0) return { is: 'escaped', because: show(outside.join('; ')) };
  if (failure !== null) return { is: 'no-answer', because: show(failure) };
  if (evidence.hostClaim !== null) return judgeClaim(attempt, evidence.hostClaim, evidence, facts);
  const answer = findAnswer(output);
  if (answer === null) return judgeSilence(attempt, evidence);
  if (answer.is === 'escaped') return judgeClaim(attempt, answer.text, evidence, facts);
  return { is: answer.is, because: show(answer.text) };
}

const order: readonly Verdict[] = ['contained', 'not-applicable', 'no-answer', 'escaped'];

/** The same attempt under several tiers is as bad as its worst result. */
export function worst(cells: readonly Cell[]): Cell {
  return (
    cells.toSorted((a, b) => order.indexOf(b.is) - order.indexOf(a.is))[0] ?? {
      is: 'no-answer',
      because: 'it was not run',
    }
  );
}
