import type { Analysis } from '../../../base/analysis-schema.ts';
import { brief, cut, join, type Markup, markup, nothing } from './markup.ts';
import { chip, count, duration, longTable, section } from './pieces.ts';
import type { Tone } from './tones.ts';

/** The target on the left, hosts on the right, and lines between them as thick as what went there. */

type Host = Analysis['hosts'][number];

const rowHeight = 46;
const mostDrawn = 14;
const longestHost = 300;

interface Look {
  readonly tone: Tone;
  readonly word: string;
}

function lookOf({ leaks, isDeclared, phases }: Host): Look {
  if (leaks > 0) return { tone: 'critical', word: leaks === 1 ? 'a secret left' : `${leaks} secrets left` };
  if (isDeclared) return { tone: 'good', word: 'declared' };
  if (phases.length > 0 && phases.every((phase) => phase === 'attack'))
    return { tone: 'info', word: 'named by a trial' };
  return { tone: 'medium', word: 'undeclared' };
}

function thickness({ requests }: Host): string {
  return (1.5 + 2.2 * Math.log10(1 + requests)).toFixed(1);
}

function drawLines(hosts: readonly Host[], height: number): Markup {
  const middle = height / 2;
  const lines = hosts.map((host, at) => {
    const y = at * rowHeight + rowHeight / 2;
    return markup`<path class="${lookOf(host).tone}" stroke-width="${thickness(host)}" d="M0 ${middle} C50 ${middle} 50 ${y} 100 ${y}"/>`;
  });
  return markup`<svg class="lines" viewBox="0 0 100 ${height}" height="${height}" preserveAspectRatio="none" aria-hidden="true">${lines}</svg>`;
}

function drawHost(host: Host): Markup {
  const { tone, word } = lookOf(host);
  const ways = [...host.protocols.slice(0, 4), ...host.ports.slice(0, 4).map((port) => `:${port}`)].join(' ');
  return markup`<li class="${tone}"><b>${brief(host.host, 80, 'end')}</b><span>${word} · ${count(host.requests, 'request')} · ${ways}</span></li>`;
}

function detailsOf(hosts: readonly Host[]): Markup {
  const columns = [
    { title: 'host' },
    { title: 'is' },
    { title: 'requests', isNumber: true },
    { title: 'by' },
    { title: 'in phases' },
    { title: 'first' },
    { title: 'events' },
  ];
  const rows = hosts.map((host) => [
    markup`<code>${cut(host.host, longestHost)}</code>`,
    chip(lookOf(host).word, lookOf(host).tone),
    host.requests,
    [...host.protocols, ...host.ports.map((port) => `:${port}`)].join(' '),
    join(host.phases, ', '),
    duration(host.firstMs),
    host.events.slice(0, 6).map((event) => markup`<span class="seq">#${event}</span> `),
  ]);
  return longTable({ columns }, rows, 0, 'Hosts in detail');
}

export function networkSection({ hosts, server, start, leftOut }: Analysis, prefix: string): Markup {
  if (hosts.length === 0 && !start.isStarted) return nothing;
  if (hosts.length === 0) {
    return section(`${prefix}-network`, 'Network', markup`<p class="empty">It spoke to nobody that was seen.</p>`);
  }
  const drawn = hosts.slice(0, mostDrawn);
  const height = drawn.length * rowHeight;
  const more = hosts.length - drawn.length + (leftOut.hosts ?? 0);
  const name = server === null ? 'target' : brief(server.name, 28);
  const map = markup`<div class="network"><div class="self"><b>${name}</b></div>${drawLines(drawn, height)}<ul>${drawn.map(drawHost)}</ul></div>`;
  const columnsNote = more > 0 ? `The first ${drawn.length}; ${more} more were spoken to.` : null;
  return section(
    `${prefix}-network`,
    'Network',
    markup`${map}${detailsOf(hosts)}`,
    columnsNote ?? 'The thicker the line, the more requests.',
  );
}
