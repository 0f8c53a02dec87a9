import type { Finding } from '../../../base/finding-schema.ts';
import { countBySeverity } from '../../../evidence/words.ts';
import type { Progress, Stage } from '../../../instruments/analyze/run/index.ts';
import { safe } from './safe.ts';

/** How far one analysis is. */
export interface TrackState {
  readonly name: string;
  readonly startedAtMs: number;
  readonly mostMs: number;
  /** When the calls began that the budget is for. */
  readonly callsFromMs: number | null;
  readonly stage: Stage | null;
  /** What is done within the stage, where no number says it. */
  readonly doing: string;
  readonly tool: { readonly name: string; readonly number: number; readonly of: number } | null;
  readonly trials: { readonly made: number; readonly planned: number } | null;
  readonly findings: readonly Finding[];
}

export function openTrack(name: string, mostMs: number, nowMs: number): TrackState {
  return {
    name,
    startedAtMs: nowMs,
    mostMs,
    callsFromMs: null,
    stage: null,
    doing: '',
    tool: null,
    trials: null,
    findings: [],
  };
}

const callStages: readonly Stage[] = ['use', 'attack'];

export function advance(state: TrackState, progress: Progress, nowMs: number): TrackState {
  switch (progress.kind) {
    case 'stage':
      return {
        ...state,
        stage: progress.stage,
        doing: '',
        tool: null,
        trials: null,
        callsFromMs: callStages.includes(progress.stage) ? (state.callsFromMs ?? nowMs) : state.callsFromMs,
      };
    case 'tool':
      return { ...state, tool: progress };
    case 'trials':
      return { ...state, trials: progress };
    case 'finding':
      return { ...state, findings: [...state.findings, progress.finding] };
    case 'note':
      return { ...state, doing: progress.text };
  }
}

/** Words of ours for what a stage does. */
export const stageWords: Readonly<Record<Stage, string>> = {
  inspect: 'reading its files',
  fetch: 'fetching what it needs',
  box: 'making the box',
  install: 'installing in the box',
  start: 'starting it',
  handshake: 'shaking hands',
  list: 'listing what it offers',
  use: 'using it honestly',
  attack: 'attacking',
  idle: 'watching it idle',
  stop: 'stopping it',
  judge: 'judging',
};

/** A width that hardly changes, so that the rest of the line stands still. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function timeOf({ startedAtMs, mostMs, callsFromMs, stage }: TrackState, nowMs: number): string {
  const passed = clock(nowMs - startedAtMs);
  if (callsFromMs === null || stage === null || !callStages.includes(stage)) return passed;
  const leftMs = mostMs - (nowMs - callsFromMs);
  return leftMs > 0 ? `${passed}, ${clock(leftMs + 999)} left` : passed;
}

/** The parts of the one line that tells how far it is, the most telling first. */
export function describeTrack(state: TrackState, nowMs: number): readonly string[] {
  const { stage, tool, trials, doing } = state;
  const weighty = state.findings.filter(({ severity }) => severity !== 'info');
  return [
    timeOf(state, nowMs),
    stage === null ? 'beginning' : stageWords[stage],
    ...(weighty.length === 0 ? [] : [countBySeverity(weighty)]),
    ...(trials === null ? [] : [`trial ${trials.made} of ${trials.planned}`]),
    ...(tool === null ? [] : [`tool ${tool.number} of ${tool.of} ${safe(tool.name)}`]),
    ...(doing === '' || tool !== null ? [] : [safe(doing)]),
  ];
}
