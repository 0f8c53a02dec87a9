import { type ExitCode, exitCodes } from '../../../base/errors.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { ReplayAnswer, ReplayResult } from '../../../instruments/analyze/run/judge-replay.ts';
import type { Terminal } from '../terminal/index.ts';
import { renderSteps } from './finding-lines.ts';
import { safe } from './safe.ts';

export const replayExits: Readonly<Record<ReplayAnswer, ExitCode>> = {
  confirmed: exitCodes.findings,
  'not reproduced': exitCodes.clean,
  inconclusive: exitCodes.incomplete,
};

export function renderReplay(result: ReplayResult, finding: Finding, folder: string, terminal: Terminal): string {
  const { style } = terminal;
  const { is, because, proof } = result;
  const paint = { confirmed: style.bad, 'not reproduced': style.good, inconclusive: style.warn }[is];
  const steps = proof === null ? [] : renderSteps(proof.steps, terminal, { isDetailed: true });
  const events = [...new Set(proof?.steps.flatMap(({ event }) => (event === undefined ? [] : [event])) ?? [])];
  return [
    `${paint(style.strong(is))}  ${safe(finding.title)}  ${style.faint(`${finding.id}, ${because}`)}`,
    ...steps,
    ...(events.length === 0 ? [] : [`             ${style.faint(`events ${events.join(', ')} of this run`)}`]),
    '',
    `Kept in ${safe(folder)}`,
    `  ${style.strong('events'.padEnd(9))}  ${style.code(`hotcell events ${safe(folder)} --tree`)}`,
    '',
  ].join('\n');
}
