import type { Analysis, Proof } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Report } from '../../../base/report-schema.ts';
import type { Focus } from './contract.ts';

/** Whether what was found once came about again. */

export const replayAnswers = ['confirmed', 'not reproduced', 'inconclusive'] as const;
export type ReplayAnswer = (typeof replayAnswers)[number];

export interface ReplayResult {
  readonly is: ReplayAnswer;
  /** Of the run that did it again. */
  readonly proof: Proof | null;
  readonly because: string;
}

function isTried({ calls, phases }: Analysis, focus: Focus): boolean {
  if (focus.kind === 'trial') return calls.some(({ kind }) => kind === 'trial');
  return phases.some(({ phase }) => phase === focus.phase);
}

/** Why silence would mean nothing; null where it means that it did not come about. */
function doubtOf(analysis: Analysis | undefined, focus: Focus, isInterrupted: boolean): string | null {
  if (isInterrupted) return 'it was interrupted';
  if (analysis === undefined || !analysis.start.isStarted) return 'the server did not start';
  if (!isTried(analysis, focus)) return 'it did not come to trying it';
  return analysis.completeness.isComplete ? null : 'sensors did not see everything';
}

export function judgeReplay(
  { subjects: [subject] }: Report,
  { id }: Finding,
  focus: Focus,
  isInterrupted: boolean,
): ReplayResult {
  const analysis = subject?.analysis;
  const all = [...(subject?.findings ?? []), ...(subject?.suppressed ?? []).map(({ finding }) => finding)];
  const again = all.find((finding) => finding.id === id);
  if (again !== undefined && again.evidenceClass !== 'D' && again.evidenceClass !== 'U') {
    const proof = analysis?.proofs.find(({ finding }) => finding === id) ?? null;
    return { is: 'confirmed', proof, because: `evidence class ${again.evidenceClass}` };
  }
  const doubt = doubtOf(analysis, focus, isInterrupted);
  if (doubt !== null) return { is: 'inconclusive', proof: null, because: doubt };
  return { is: 'not reproduced', proof: null, because: 'it was done again, and the world showed nothing of it' };
}
