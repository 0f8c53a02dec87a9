import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { Ask, HeldChange, PinnedPart } from '../../../instruments/guard/tool-pins/index.ts';
import { count, type Terminal } from '../terminal/index.ts';

/** What is held back and what is pinned, for a person. Names are servers' words, and are spelled out. */

const longestBytes = 300;

function safe(text: string): string {
  return forTerminal(untrusted(text, longestBytes));
}

const paints = { '+': 'good', '-': 'bad' } as const;

function paintLine(line: string, { style }: Terminal): string {
  const mark = /^ {4}([+-]) /.exec(line)?.[1] as keyof typeof paints | undefined;
  return mark === undefined ? line : style[paints[mark]](line);
}

function renderChange({ id, at, lines }: HeldChange, terminal: Terminal): string {
  const [first = '', ...rest] = lines;
  const { style } = terminal;
  return [
    `  ${style.warn(first)}  ${style.faint(`${id}, ${at.slice(0, 16).replace('T', ' ')}`)}\n`,
    ...rest.map((line) => `${paintLine(line, terminal)}\n`),
  ].join('');
}

export function renderHeld(changes: readonly HeldChange[], asks: readonly Ask[], terminal: Terminal): string {
  const waiting = asks.filter((ask) => ask.waiting > 0);
  if (changes.length === 0 && waiting.length === 0) return 'nothing is held back\n';
  const { style } = terminal;
  const groups = Map.groupBy(changes, ({ server, subject }) => JSON.stringify([server, subject]));
  const held = [...groups.values()].map((group) => {
    const [{ server, subject } = { server: '', subject: '' }] = group;
    const head = `${style.strong(safe(server))} (${safe(subject)}): ${count(group.length, 'change')} held back\n`;
    const foot = `  ${style.faint(`hotcell approve ${safe(server)} --tool NAME, --id ID or --all`)}\n`;
    return `${head}${group.map((change) => renderChange(change, terminal)).join('')}${foot}`;
  });
  const asked = waiting.map(
    ({ server, tool, waiting: times }) =>
      `${style.strong(safe(server))}: ${safe(tool)} was asked for ${count(times, 'time')}\n` +
      `  ${style.faint(`hotcell approve ${safe(server)} --tool ${safe(tool)} --ask`)}\n`,
  );
  return [...held, ...asked].join('\n');
}

export function renderPinned(parts: readonly PinnedPart[], asks: readonly Ask[], { style }: Terminal): string {
  if (parts.length === 0) return 'nothing is pinned\n';
  const pinned = parts.map(({ server, subject, part, pinnedAt, entries }) => {
    const head = `${style.strong(safe(server))} (${safe(subject)}): ${part}, since ${pinnedAt.slice(0, 10)}\n`;
    const lines = entries
      .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      .map(({ name, fingerprint, isHeld }) => {
        const note = isHeld ? style.warn('  held back') : '';
        return `  ${part === 'instructions' ? 'text' : safe(name)}  ${style.faint(fingerprint.slice(0, 12))}${note}\n`;
      });
    return `${head}${lines.join('')}`;
  });
  const allowed = asks
    .filter((ask) => ask.allowed !== 0)
    .map(
      ({ server, tool, allowed: uses }) =>
        `${style.strong(safe(server))}: ${safe(tool)} may be called ${uses === 'always' ? 'always' : count(uses, 'time')}\n`,
    );
  return [...pinned, ...allowed].join('');
}

export function renderApproved(changes: readonly HeldChange[], terminal: Terminal): string {
  return changes.map((change) => renderChange(change, terminal)).join('');
}
