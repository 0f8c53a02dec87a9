import type { Analysis } from '../../../base/analysis-schema.ts';
import { isComplete, phases } from '../../../base/event-schema.ts';
import { type Markup, markup, nothing } from './markup.ts';
import { fold } from './pieces.ts';

/** How much of the target was looked at: without it, silence means nothing. */

function meter(title: string, done: number, all: number): Markup {
  const share = all === 0 ? 0 : Math.min(100, Math.round((100 * done) / all));
  const tone = all === 0 ? 'unknown' : done >= all ? 'good' : share >= 50 ? 'low' : 'medium';
  return markup`<div class="meter ${tone}"><span>${title}</span><b>${done.toLocaleString('en')}<i> of ${all.toLocaleString('en')}</i></b><svg width="100%" height="6" aria-hidden="true"><rect class="track" width="100%" height="6" rx="3"/><rect class="value" width="${share}%" height="6" rx="3"/></svg></div>`;
}

export function coverageBlock({ verdict, completeness }: Analysis): Markup {
  const { tools, parameters, phases: done, missing } = verdict.coverage;
  const { sensors } = completeness;
  const whole = sensors.filter(isComplete).length;
  const steps = phases.map((phase) => {
    const isDone = done.includes(phase);
    return markup`<li class="${isDone ? 'done' : 'not'}"><span class="only-read">${isDone ? 'done: ' : 'not done: '}</span>${phase}</li>`;
  });
  return markup`<div class="coverage"><h3>Coverage</h3>${meter('tools used', tools.exercised, tools.all)}${meter('parameters tried', parameters.tried, parameters.all)}${meter('sensors that saw everything', whole, sensors.length)}<ol class="phases">${steps}</ol>${
    missing.length === 0
      ? nothing
      : fold(
          `${missing.length} not done`,
          markup`<ul>${missing.slice(0, 60).map((each) => markup`<li>${each}</li>`)}</ul>`,
        )
  }</div>`;
}
