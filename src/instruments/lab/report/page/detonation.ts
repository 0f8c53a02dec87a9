import { brief, type Markup, markup, nothing } from '../../../../evidence/renderers/html/markup.ts';
import { chip, fold, section } from '../../../../evidence/renderers/html/pieces.ts';
import type { LabReport } from '../schema.ts';
import { joinMoments, type Moment } from '../words.ts';

const sharp: ReadonlySet<string> = new Set([
  'bait-read',
  'leak',
  'connect',
  'http-request',
  'dns-query',
  'ptrace',
  'memfd',
  'denied',
  'limit-hit',
]);
const shownAtOnce = 60;

function moment({ entry: { at_ms: at, kind, process, text }, times }: Moment): Markup {
  const often = times === 1 ? nothing : markup` ${chip(`${times} times`)}`;
  return markup`<span class="at">${Math.round(at)} ms</span><span class="${sharp.has(kind) ? 'sharp' : 'plain'}">${brief(kind, 30)}</span><span>${brief(process, 60)}</span><span><code>${text}</code>${often}</span>`;
}

function moments(all: readonly Moment[]): Markup {
  return all.length === 0 ? nothing : markup`<div class="moments">${all.map(moment)}</div>`;
}

export function detonationSection({ detonation }: LabReport): Markup {
  if (detonation === null) return nothing;
  const title = 'Run in a cell';
  if (detonation.status !== 'done') return section('detonation', title, markup`<p>${detonation.because}</p>`);
  const state = detonation.is_complete
    ? chip('telemetry is complete', 'good')
    : chip('telemetry is not complete: silence proves nothing', 'unknown');
  const all = joinMoments(detonation.timeline);
  const rest = all.slice(shownAtOnce);
  const counts = Object.entries(detonation.event_counts)
    .slice(0, 60)
    .map(([kind, count]) => [chip(brief(`${kind} ${count}`, 40)), ' ']);
  const outputs = [
    ['What it printed', detonation.stdout],
    ['Its errors', detonation.stderr],
  ]
    .filter(([, text]) => text !== '')
    .map(([name, text]) => fold(name ?? '', markup`<pre>${text ?? ''}</pre>`));
  const gaps =
    detonation.gaps.length === 0
      ? nothing
      : fold('What was not seen', markup`<ul>${detonation.gaps.map((gap) => markup`<li>${gap}</li>`)}</ul>`);
  return section(
    'detonation',
    title,
    markup`<p>${state} <code>${brief(detonation.command.join(' '), 300)}</code></p>${moments(all.slice(0, shownAtOnce))}${rest.length === 0 ? nothing : fold(`${rest.length} more`, moments(rest))}${outputs}${counts.length === 0 ? nothing : fold('All events by kind', markup`<p>${counts}</p>`)}${gaps}`,
    detonation.because,
  );
}
