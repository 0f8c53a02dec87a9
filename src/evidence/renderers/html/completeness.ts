import type { Analysis } from '../../../base/analysis-schema.ts';
import { type Completeness, isComplete } from '../../../base/event-schema.ts';
import type { Subject } from '../../../base/report-schema.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, longTable, section, table } from './pieces.ts';
import type { Tone } from './tones.ts';

/** What was looked at, how well, and what was not. */

const shown = 10;

function whyNot({ attachedBeforeExec, dropped, missingPoints, heartbeats, diedAt }: Completeness): string {
  return [
    ...(attachedBeforeExec ? [] : ['it was attached too late']),
    ...(dropped > 0 ? [`${dropped.toLocaleString('en')} events were lost`] : []),
    ...missingPoints.slice(0, 5),
    ...(heartbeats.seen < heartbeats.expected
      ? [`${heartbeats.seen} of ${heartbeats.expected} heartbeats were seen`]
      : []),
    ...(diedAt === undefined ? [] : [`it died at ${diedAt}`]),
  ].join('; ');
}

function sensorsTable({ completeness: { sensors } }: Analysis): Markup {
  const rows = sensors.map((sensor) => [
    sensor.source,
    isComplete(sensor) ? chip('complete', 'good') : chip('not complete', 'unknown'),
    sensor.received.toLocaleString('en'),
    cut(whyNot(sensor), 600),
  ]);
  const columns = [
    { title: 'sensor' },
    { title: 'is' },
    { title: 'events', isNumber: true },
    { title: 'what is missing' },
  ];
  return rows.length === 0 ? nothing : markup`<h4>Sensors</h4>${table({ columns }, rows)}`;
}

function notTriedTable({ notTried }: Analysis): Markup {
  if (notTried.length === 0) return nothing;
  const rows = notTried.map(({ what, reason, count }) => [what, reason, count.toLocaleString('en')]);
  return markup`<h4>Not tried</h4>${longTable({ columns: [{ title: 'what' }, { title: 'why' }, { title: 'how many', isNumber: true }] }, rows, shown, 'kinds')}`;
}

const outcomes: Readonly<Record<Subject['checks'][number]['is'], Tone>> = {
  done: 'good',
  unknown: 'unknown',
  'not-applicable': 'plain',
};

function checksTable({ checks }: Subject): Markup {
  if (checks.length === 0) return nothing;
  const rows = checks.map(({ title, is, because, facts }) => {
    const details = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
    const all = [...(because === undefined ? [] : [because]), ...details].join('; ');
    return [title, chip(is.replace('-', ' '), outcomes[is]), cut(all, 1200)];
  });
  return markup`<h4>Checks</h4>${table({ columns: [{ title: 'check' }, { title: 'outcome' }, { title: 'details' }] }, rows)}`;
}

function leftOutList({ leftOut }: Analysis): Markup {
  const all = Object.entries(leftOut);
  if (all.length === 0) return nothing;
  const said = all.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
  return markup`<p class="faint">Left out of this report, because there were too many: ${said}. The log has them.</p>`;
}

export function completenessSection(subject: Subject, prefix: string): Markup {
  const { analysis, checks } = subject;
  if (analysis === undefined && checks.length === 0) return nothing;
  const parts = analysis === undefined ? [] : [sensorsTable(analysis), notTriedTable(analysis), leftOutList(analysis)];
  return section(`${prefix}-looked`, 'What was looked at', markup`${checksTable(subject)}${parts}`);
}
