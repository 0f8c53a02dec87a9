import type { Event } from '../../../base/event-schema.ts';
import { textOf } from '../../../engine/sensor/history/index.ts';
import { type Terminal, wrap } from '../terminal/index.ts';
import { type Context, type Description, describeEvent } from './describe.ts';
import { cellsOf, cutEnd, shorten } from './shorten.ts';
import { paint } from './tone.ts';

/**
 * One event on one line, in columns that do not depend on the events to come:
 *
 *       0.120    4130  curl      connect  collect.example:443  10.64.0.3
 *        time     pid  name      verb     what
 */

const timeCells = 8;
const pidCells = 7;
const verbCells = 8;
const phaseCells = 9;
/** How much of the process is shown, by the width of the terminal. */
const layouts: readonly { readonly from: number; readonly nameCells: number; readonly hasPhase: boolean }[] = [
  // Fifteen letters are as many as the kernel keeps of a name.
  { from: 120, nameCells: 15, hasPhase: true },
  { from: 90, nameCells: 12, hasPhase: false },
  { from: 60, nameCells: 8, hasPhase: false },
];
const tightest = { nameCells: 0, hasPhase: false };
/** Of what is left for the subject and its detail, a vital detail gets at most this part. */
const detailShare = 0.45;
const shortestDetail = 4;
const shortestLeak = 12;
const mostLeakLines = 6;

const padTo = (text: string, cells: number): string => text + ' '.repeat(Math.max(0, cells - cellsOf(text)));

export function secondsSince(startNs: bigint, { at }: Event): string {
  return (Number((BigInt(at.monotonicNs) - startNs) / 1000n) / 1_000_000).toFixed(3);
}

export interface Fitted {
  readonly subject: string;
  readonly detail: string;
}

/** Both whole where there is room; otherwise the detail is left out, or cut where it is vital. */
export function fitInto(description: Description, cells: number, ellipsis: string): Fitted {
  const { subject, detail, cut, isDetailVital } = description;
  const gap = detail === '' || subject === '' ? 0 : 2;
  if (cellsOf(subject) + gap + cellsOf(detail) <= cells) return { subject, detail };
  const most = Math.max(Math.floor(cells * detailShare), cells - gap - cellsOf(subject));
  const detailCells = isDetailVital === true ? Math.min(cellsOf(detail), most) : 0;
  const shownDetail = detailCells < shortestDetail ? '' : cutEnd(detail, detailCells, ellipsis);
  const room = cells - (shownDetail === '' ? 0 : gap + cellsOf(shownDetail));
  return { subject: shorten(subject, cut, Math.max(0, room), ellipsis), detail: shownDetail };
}

/** Subject and detail with their colours, in no more than the given cells. Of a leak nothing is cut off. */
export function renderWhat(description: Description, cells: number, terminal: Terminal, ellipsis: string): string[] {
  const { tone, subject, detail } = description;
  const { style } = terminal;
  if (tone === 'leak' && cells >= shortestLeak && cellsOf(subject) + 2 + cellsOf(detail) > cells)
    return [...wrap(subject, cells), ...wrap(detail, cells)]
      .slice(0, mostLeakLines)
      .map((part) => paint(tone, part, style));
  const fitted = fitInto(description, cells, ellipsis);
  const detailTone = tone === 'leak' || tone === 'decoy' || tone === 'denied' ? tone : 'quiet';
  const parts = [paint(tone, fitted.subject, style), paint(detailTone, fitted.detail, style)];
  return [parts.filter((part) => part !== '').join('  ')];
}

function renderLead(event: Event, startNs: bigint, width: number, ellipsis: string): string {
  const { nameCells, hasPhase } = layouts.find(({ from }) => width >= from) ?? tightest;
  const place = `${secondsSince(startNs, event).padStart(timeCells)} ${String(event.process?.pid ?? '-').padStart(pidCells)}`;
  const name = cutEnd(textOf(event.process?.name) ?? '-', nameCells, ellipsis);
  const phase = hasPhase ? [padTo(event.phase, phaseCells)] : [];
  return [place, ...(nameCells === 0 ? [] : [padTo(name, nameCells)]), ...phase].join('  ');
}

function withCall(description: Description, event: Event): Description {
  const call = textOf(event.call);
  if (call === null) return description;
  return { ...description, detail: [description.detail, `call ${call}`].filter((part) => part !== '').join(', ') };
}

export function renderEventLine(event: Event, startNs: bigint, context: Context, terminal: Terminal): string {
  const { style, width } = terminal;
  const { ellipsis } = context.drawing;
  const lead = renderLead(event, startNs, width, ellipsis);
  const description = withCall(describeEvent(event, context), event);
  const verb = padTo(description.verb, verbCells);
  const leadCells = cellsOf(lead) + 2 + cellsOf(verb) + 1;
  const [first = '', ...others] = renderWhat(description, Math.max(0, width - leadCells), terminal, ellipsis);
  const own = `${style.faint(lead)}  ${paint(description.tone, verb, style)} ${first}`.trimEnd();
  return [own, ...others.map((other) => ' '.repeat(leadCells) + other)].map((line) => `${line}\n`).join('');
}
