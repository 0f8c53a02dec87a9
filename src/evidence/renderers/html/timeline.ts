import type { Analysis } from '../../../base/analysis-schema.ts';
import { type Bar, mergeBars, pack } from './bars.ts';
import { type Mark, marksOf } from './marks.ts';
import { brief, type Markup, markup, nothing } from './markup.ts';
import { chip, count, duration, section } from './pieces.ts';
import { makeTimeScale, type TimeScale } from './time-scale.ts';
import type { Tone } from './tones.ts';

/** The run over time: a band of phases, and a lane each for calls, processes, files and the network. */

const lineHeight = 15;
const lineGap = 3;
const headHeight = 20;
const bandHeight = 40;
const mostProcessLines = 9;
const mostTicks = 600;
/** In percent of the picture. */
const markWidth = 1.5;
/** The picture on the narrowest phone, and a letter there. */
const phoneWidth = 300;
const characterWidth = 6;

type Story = Pick<Analysis, 'phases' | 'calls' | 'processes' | 'files' | 'hosts'>;

interface Lane {
  readonly title: string;
  readonly note: string;
  readonly height: number;
  draw(top: number): Markup;
}

/** Its text ends where the bar does. */
function drawBar(bar: Bar, top: number, label: string | null): Markup {
  const width = Math.max(0.3, bar.right - bar.left).toFixed(2);
  const text = label === null || bar.right - bar.left < 2 ? nothing : markup`<text x="4" y="11">${label}</text>`;
  const title = bar.count > 1 ? `${bar.count} from here on, the first: ${bar.title}` : bar.title;
  return markup`<svg class="bar ${bar.tone}" x="${bar.left}%" y="${top}" width="${width}%" height="${lineHeight}"><title>${title}</title><rect width="100%" height="100%" rx="2"/>${text}</svg>`;
}

function drawMark({ number, ms }: Mark, scale: TimeScale, top: number): Markup {
  return markup`<svg class="mark" x="${scale.at(ms)}%" y="${top + 8}" overflow="visible"><path d="M0-9 9 0 0 9-9 0Z"/><text y="3.5" text-anchor="middle">${number}</text></svg>`;
}

/** Marks on top of each other cannot be read: of those that touch, the first is drawn, and the list has all. */
function drawMarks(marks: readonly Mark[], scale: TimeScale, top: number): Markup {
  let last = Number.NEGATIVE_INFINITY;
  const apart = marks.filter(({ ms }) => {
    const at = scale.at(ms);
    if (at - last < markWidth) return false;
    last = at;
    return true;
  });
  return markup`${apart.map((mark) => drawMark(mark, scale, top))}`;
}

const callTones: Readonly<Record<Analysis['calls'][number]['kind'], Tone>> = {
  honest: 'low',
  trial: 'medium',
  other: 'info',
};

function callLane({ calls }: Story, scale: TimeScale): Lane {
  const bars = mergeBars(
    calls.map(({ kind, tool, fromMs, toMs, outcome }) => ({
      left: scale.at(fromMs),
      right: scale.at(toMs),
      tone: outcome === 'unanswered' ? 'critical' : callTones[kind],
      title: `${brief(tool, 60)}, ${outcome}, ${duration(toMs - fromMs)}`,
      count: 1,
    })),
  );
  const trials = calls.filter(({ kind }) => kind === 'trial').length;
  const note = `${count(calls.length - trials, 'call')}, ${count(trials, 'trial')}`;
  return {
    title: 'Calls',
    note,
    height: lineHeight,
    draw: (top) => markup`${bars.map((bar) => drawBar(bar, top, null))}`,
  };
}

function processLane({ processes }: Story, scale: TimeScale): Lane {
  const bars = processes.map(({ name, fromMs, toMs, phase }) => ({
    left: scale.at(fromMs),
    right: toMs === null ? 100 : scale.at(toMs),
    tone: phase === 'attack' ? ('medium' as const) : ('low' as const),
    title: `${brief(name, 40)}, from ${duration(fromMs)}${toMs === null ? ', not seen to end' : ` for ${duration(toMs - fromMs)}`}`,
    name: brief(name, 24),
    count: 1,
  }));
  const { lines, leftOut } = pack(bars, mostProcessLines);
  return {
    title: 'Processes',
    note: `${processes.length}${leftOut === 0 ? '' : `, of which ${leftOut} found no room here`}`,
    height: Math.max(1, lines.length) * (lineHeight + lineGap) - lineGap,
    draw: (top) =>
      markup`${lines.map((line, at) => line.map((bar) => drawBar(bar, top + at * (lineHeight + lineGap), bar.name)))}`,
  };
}

function tickLane(title: string, note: string, ticks: readonly Bar[], marks: readonly Mark[], scale: TimeScale): Lane {
  return {
    title,
    note,
    height: lineHeight + 2,
    draw: (top) =>
      markup`<line class="base" x1="0" x2="100%" y1="${top + 8}" y2="${top + 8}"/>${mergeBars(ticks)
        .slice(0, mostTicks)
        .map((tick) => drawBar(tick, top, null))}${drawMarks(marks, scale, top)}`,
  };
}

function fileLane({ files }: Story, scale: TimeScale, marks: readonly Mark[]): Lane {
  const ticks = files
    .filter(({ is }) => is === 'other' || is === 'own')
    .map(({ path, access, is, firstMs }): Bar => {
      const at = scale.at(firstMs);
      const tone = access === 'read' ? 'info' : is === 'own' ? 'low' : 'medium';
      return { left: at, right: at, tone, title: `${access} ${brief(path, 80, 'end')}`, count: 1 };
    });
  const own = marks.filter(({ lane }) => lane === 'files');
  return tickLane('Files', `${count(files.length, 'file')}, those of the system not drawn`, ticks, own, scale);
}

function networkLane({ hosts }: Story, scale: TimeScale, marks: readonly Mark[]): Lane {
  const ticks = hosts.map(({ host, firstMs, isDeclared, phases }): Bar => {
    const at = scale.at(firstMs);
    const isOurs = phases.every((phase) => phase === 'attack');
    const tone = isDeclared ? 'low' : isOurs ? 'info' : 'high';
    return { left: at, right: at, tone, title: brief(host, 80, 'end'), count: 1 };
  });
  const own = marks.filter(({ lane }) => lane === 'network');
  return tickLane('Network', count(hosts.length, 'host'), ticks, own, scale);
}

/** Half a name is worse than none: what has no room on a phone is not shown there. */
function fitting(text: string, left: number, right: number): string {
  return text.length * characterWidth + 8 > ((right - left) / 100) * phoneWidth ? ' tight' : '';
}

function drawBand({ spans }: TimeScale): Markup {
  const parts = spans.map(
    ({ phase, left, right, fromMs, toMs }, at) =>
      markup`<svg x="${left}%" y="0" width="${(right - left).toFixed(2)}%" height="${bandHeight}"><title>${phase}: ${duration(toMs - fromMs)}</title><rect class="phase${at % 2 === 0 ? '' : ' odd'}" width="100%" height="22"/><text class="name${fitting(phase, left, right)}" x="5" y="15">${phase}</text><text class="small${fitting(duration(fromMs), left, right)}" x="5" y="35">${duration(fromMs)}</text></svg>`,
  );
  return markup`${parts}`;
}

function drawPicture(story: Story, marks: readonly Mark[]): Markup {
  const scale = makeTimeScale(story);
  const lanes = [
    callLane(story, scale),
    processLane(story, scale),
    fileLane(story, scale, marks),
    networkLane(story, scale, marks),
  ];
  let top = bandHeight + 4;
  const drawn = lanes.map((lane) => {
    const head = markup`<text class="lane" x="0" y="${top + 14}">${lane.title}<tspan class="small" dx="7">${lane.note}</tspan></text>`;
    const body = lane.draw(top + headHeight);
    top += headHeight + lane.height + 9;
    return markup`${head}${body}`;
  });
  const borders = scale.spans
    .slice(1)
    .map(({ left }) => markup`<line class="border" x1="${left}%" x2="${left}%" y1="24" y2="${top}"/>`);
  return markup`<svg class="timeline" width="100%" height="${top}" role="img" aria-label="the run over time">${borders}${drawBand(scale)}${drawn}</svg>`;
}

export function timelineSection(analysis: Analysis, prefix: string): Markup {
  const { phases, calls, processes } = analysis;
  if (phases.length + calls.length + processes.length === 0) return nothing;
  const marks = marksOf(analysis);
  const list = marks.map(
    ({ number, ms, text }) =>
      markup`<li><b class="number">${number}</b> ${text} <span class="faint">at ${duration(ms)}</span></li>`,
  );
  const legend = [
    chip('honest call, process, declared host', 'low'),
    chip('trial, and what it started or wrote', 'medium'),
    chip('undeclared host', 'high'),
    chip('other', 'info'),
    chip('no answer; bait touched; secret left', 'critical'),
  ];
  return section(
    `${prefix}-timeline`,
    'What happened when',
    markup`${drawPicture(analysis, marks)}${list.length === 0 ? nothing : markup`<ol class="marks">${list}</ol>`}<p class="legend">${legend}</p>`,
    'Every phase is to scale in itself; short phases are drawn wider than they were.',
  );
}
