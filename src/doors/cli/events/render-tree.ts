import {
  type DeedCount,
  type DeedGroup,
  type PlacedNode,
  type ProcessNode,
  type ProcessTree,
  walkTree,
} from '../../../engine/sensor/history/index.ts';
import { count, formatMs, type Terminal } from '../terminal/index.ts';
import { chooseDrawing, type Drawing } from './drawing.ts';
import { meaningOf } from './meanings.ts';
import { type Cut, cellsOf, cutEnd, shorten } from './shorten.ts';
import { paint, type Tone } from './tone.ts';

/**
 * The process tree with what each did:
 *
 *     4127 node server.js  exit 0, 1.2 s
 *     │  read 3: package.json, server.js, config.json
 *     └─ 4130 sh -c 'cat ~/.ssh/id_ed25519'  exit 0, 12 ms
 *           DECOY ~/.ssh/id_ed25519  SSH private key
 */

interface GroupLook {
  readonly label: string;
  readonly tone: Tone;
  readonly cut: Cut;
  /** Said instead of label and number, where there are no names. */
  readonly sum?: (total: number) => string;
  /** One line for each name, however many. */
  readonly isListed?: boolean;
}

const counted = { label: '', tone: 'quiet', cut: 'end' } as const;

const looks: Readonly<Record<DeedGroup, GroupLook>> = {
  leaked: { label: 'LEAK', tone: 'leak', cut: 'end', isListed: true },
  decoys: { label: 'DECOY', tone: 'decoy', cut: 'path', isListed: true },
  denied: { label: 'denied', tone: 'denied', cut: 'path' },
  limits: { label: 'limits hit', tone: 'denied', cut: 'end' },
  network: { label: 'network', tone: 'network', cut: 'end' },
  listened: { label: 'listens on', tone: 'network', cut: 'end' },
  special: { label: 'special', tone: 'start', cut: 'end' },
  removed: { label: 'removed', tone: 'plain', cut: 'path' },
  created: { label: 'created', tone: 'plain', cut: 'path' },
  written: { label: 'written', tone: 'plain', cut: 'path' },
  renamed: { label: 'moved', tone: 'plain', cut: 'path' },
  modes: { label: 'modes set', tone: 'plain', cut: 'path' },
  kept: { label: 'left on disk', tone: 'plain', cut: 'path' },
  read: { label: 'read', tone: 'plain', cut: 'path' },
  listed: { label: 'listed', tone: 'plain', cut: 'path' },
  packages: { ...counted, sum: (total) => `${count(total, 'read')} of installed packages` },
  system: { ...counted, sum: (total) => `${count(total, 'read')} of system files` },
  missing: { ...counted, sum: (total) => `${count(total, 'open')} that failed` },
  messages: { label: 'messages', tone: 'plain', cut: 'end' },
};

const defaultNames = 4;
/** The drawing takes at most this part of a line; deeper processes stand at its edge. */
const deepestShare = 0.4;
const levelCells = 3;
/** The end of a process is left out where its beginning would have less room than this. */
const shortestTitle = 16;

interface Painter {
  readonly terminal: Terminal;
  readonly drawing: Drawing;
  readonly mostNames: number;
}

/** A name and how often, in so many cells. */
function nameText(name: string, often: number, cut: Cut, cells: number, { drawing }: Painter): string {
  const suffix = often > 1 ? ` ${drawing.times}${often}` : '';
  return shorten(name, cut, Math.max(0, cells - suffix.length), drawing.ellipsis) + suffix;
}

function listedLines({ group, names, unnamed }: DeedCount, cells: number, painter: Painter): readonly string[] {
  const { label, cut } = looks[group];
  const { ellipsis } = painter.drawing;
  const lines = [...names].map(([name, often]) => {
    const meaning = group === 'decoys' ? meaningOf(name) : null;
    const tail = meaning === null ? '' : `  ${meaning}`;
    return cutEnd(
      `${label} ${nameText(name, often, cut, cells - label.length - 1 - tail.length, painter)}${tail}`,
      cells,
      ellipsis,
    );
  });
  return unnamed === 0 ? lines : [...lines, cutEnd(`${label} ${unnamed} times others`, cells, ellipsis)];
}

/** Several lines where one would be too long. */
function deedLines(deed: DeedCount, cells: number, painter: Painter): readonly string[] {
  const { group, count: total, names, unnamed } = deed;
  const { label, tone, cut, isListed, sum } = looks[group];
  const { style } = painter.terminal;
  if (isListed) return listedLines(deed, cells, painter).map((line) => paint(tone, line, style));
  const head = sum?.(total) ?? `${label} ${total}`;
  if (names.size === 0) return [paint(tone, cutEnd(head, cells, painter.drawing.ellipsis), style)];
  const indent = head.length + 2;
  const shown = [...names].slice(0, painter.mostNames);
  const hidden = [
    ...(names.size > shown.length ? [`${count(names.size - shown.length, 'name')} more`] : []),
    ...(unnamed > 0 ? [`${unnamed} times others`] : []),
  ];
  const texts = [
    ...shown.map(([name, often]) => nameText(name, often, cut, cells - indent, painter)),
    ...(hidden.length > 0 ? [`+ ${hidden.join(', ')}`] : []),
  ];
  const lineTone = tone === 'network' || tone === 'denied' ? tone : 'plain';
  return flow(texts, cells - indent).map((line, at) => {
    const lead = at === 0 ? `${paint(tone, `${head}:`, style)} ` : ' '.repeat(indent);
    return lead + paint(lineTone, line, style);
  });
}

/** Items one after the other, as many as fit on a line. */
function flow(items: readonly string[], cells: number): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && cellsOf(last) + 2 + cellsOf(item) <= cells) lines[lines.length - 1] = `${last}, ${item}`;
    else lines.push(item);
  }
  return lines;
}

function titleOf(node: ProcessNode, { drawing }: Painter): string {
  const { pid, programs, programCount } = node;
  // The arguments of one that was only forked are those of its parent, which stands above it if it is known.
  const forkedName = node.parent === null || node.parent.isGuessed ? node.command : node.name;
  const more = programCount > programs.length ? ` ${drawing.arrow} (${programCount - programs.length} more)` : '';
  const what = programs.length > 0 ? programs.join(` ${drawing.arrow} `) + more : `${forkedName ?? '?'} (forked)`;
  return `${pid} ${what}`;
}

function endOf({ end, startedNs, endedNs }: ProcessNode): string {
  if (end === null) return 'no end seen';
  if (startedNs === null || endedNs === null) return end;
  return `${end}, ${formatMs(Math.max(0, Number((endedNs - startedNs) / 1000n) / 1000))}`;
}

interface Leads {
  /** Before the process itself, and before what it did. */
  readonly own: string;
  readonly below: string;
}

function leadsOf({ followers, depth }: PlacedNode, hasChildren: boolean, { terminal, drawing }: Painter): Leads {
  const levels = Math.max(
    1,
    Math.floor(((Number.isFinite(terminal.width) ? terminal.width : 240) * deepestShare) / levelCells),
  );
  // The first level needs no lines: whoever stands there was started by nobody in the log.
  const inner = followers.slice(1).slice(-levels);
  const trunks = inner.slice(0, -1).map((isFollowed) => (isFollowed ? drawing.trunk : drawing.blank));
  const last = inner.at(-1);
  const own = last === undefined ? '' : last ? drawing.branch : drawing.lastBranch;
  const ownBelow = last === undefined ? '' : last ? drawing.trunk : drawing.blank;
  const mark = depth > levels ? `(${depth} deep) ` : '';
  return {
    own: trunks.join('') + own + mark,
    below: trunks.join('') + ownBelow + (hasChildren ? drawing.trunk : drawing.blank),
  };
}

export function* treeLines(tree: ProcessTree, terminal: Terminal, limit: number | null): Generator<string> {
  const painter: Painter = { terminal, drawing: chooseDrawing(terminal), mostNames: limit ?? defaultNames };
  const { style, width } = terminal;
  const { ellipsis } = painter.drawing;
  const placed = [...walkTree(tree.roots())];
  for (const [at, each] of placed.entries()) {
    const next = placed[at + 1];
    const { own, below } = leadsOf(each, next !== undefined && next.depth > each.depth, painter);
    const room = Math.max(0, width - cellsOf(own));
    const end = `  ${endOf(each.node)}`;
    const shownEnd = room - cellsOf(end) < shortestTitle ? '' : end;
    const title = cutEnd(titleOf(each.node, painter), room - cellsOf(shownEnd), ellipsis);
    yield `${style.faint(own)}${style.strong(title)}${shownEnd === '' ? '' : style.faint(shownEnd)}\n`;
    for (const deed of each.node.deeds.list())
      for (const line of deedLines(deed, Math.max(20, width - cellsOf(below)), painter))
        yield `${style.faint(below)}${line}\n`;
  }
  if (!tree.loose.isEmpty) {
    yield `${style.strong('not tied to a process')}\n`;
    for (const deed of tree.loose.list())
      for (const line of deedLines(deed, Math.max(20, width - levelCells), painter))
        yield `${painter.drawing.blank}${line}\n`;
  }
  if (tree.missingProcesses > 0)
    yield `${style.warn(`${count(tree.missingProcesses, 'process', 'processes')} more than can be drawn: what they did is counted as not tied to a process`)}\n`;
}
