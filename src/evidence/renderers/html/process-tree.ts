import type { Analysis } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing, type Part } from './markup.ts';
import { chip, count, duration, fold, section } from './pieces.ts';

/** Who started whom, with what each was told to do. */

type Process = Analysis['processes'][number];

interface Placed {
  readonly process: Process;
  readonly depth: number;
}

const shown = 24;
const deepest = 10;
const wordBytes = 300;
const mostWords = 12;

const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'busybox', 'cmd', 'pwsh']);
const fetchers: ReadonlySet<string> = new Set(['curl', 'wget', 'nc', 'ncat', 'netcat', 'socat', 'ssh', 'scp', 'ftp']);

/** Without recursion, and safe against a log in which a process is its own ancestor: each is placed once. */
function placeAll(processes: readonly Process[]): readonly Placed[] {
  const children = new Map<number, Process[]>();
  const pids = new Set(processes.map(({ pid }) => pid));
  const isRoot = ({ pid, parent }: Process): boolean => parent === null || parent === pid || !pids.has(parent);
  for (const process of processes) {
    if (isRoot(process) || process.parent === null) continue;
    const group = children.get(process.parent) ?? [];
    group.push(process);
    children.set(process.parent, group);
  }
  const placed: Placed[] = [];
  const known = new Set<Process>();
  const open: Placed[] = processes
    .filter(isRoot)
    .map((process) => ({ process, depth: 0 }))
    .reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (known.has(next.process)) continue;
    known.add(next.process);
    placed.push(next);
    const { process, depth } = next;
    // A number that is used again has one list of children; they go to the first of its holders.
    const below = children.get(process.pid) ?? [];
    children.delete(process.pid);
    for (const child of below.toReversed()) open.push({ process: child, depth: depth + 1 });
  }
  return [...placed, ...processes.filter((process) => !known.has(process)).map((process) => ({ process, depth: 0 }))];
}

function marksOf({ name, toMs }: Process): readonly Markup[] {
  const plain = 'text' in name ? name.text : '';
  return [
    ...(shells.has(plain) ? [chip('shell', 'medium')] : []),
    ...(fetchers.has(plain) ? [chip('speaks to the network', 'high')] : []),
    ...(toMs === null ? [chip('not seen to end', 'unknown')] : []),
  ];
}

function drawProcess({ process, depth }: Placed): Markup {
  const { pid, name, argv, fromMs, toMs, phase } = process;
  const words: readonly Part[] = argv.slice(0, mostWords).flatMap((word) => [cut(word, wordBytes), ' ']);
  const lasted = toMs === null ? '' : `, ${duration(toMs - fromMs)}`;
  const deeper = depth > deepest ? markup`<span class="faint">level ${depth} </span>` : nothing;
  return markup`<li style="--d:${Math.min(depth, deepest)}"><div><b>${cut(name, 64)}</b> <span class="faint">${pid} · ${phase}, at ${duration(fromMs)}${lasted}</span> ${marksOf(process)}</div><code>${deeper}${words}${argv.length > mostWords ? '…' : ''}</code></li>`;
}

export function processSection({ processes, leftOut }: Analysis, prefix: string): Markup {
  if (processes.length === 0) return nothing;
  const placed = placeAll(processes);
  const list = (part: readonly Placed[]): Markup => markup`<ul class="tree">${part.map(drawProcess)}</ul>`;
  const rest = placed.slice(shown);
  const body = markup`${list(placed.slice(0, shown))}${rest.length === 0 ? nothing : fold(`${rest.length} more processes`, list(rest))}`;
  const more =
    leftOut.processes === undefined ? '' : `; ${leftOut.processes.toLocaleString('en')} more are only in the log`;
  return section(
    `${prefix}-processes`,
    'Processes',
    body,
    `${count(processes.length, 'process', 'processes')}${more}.`,
  );
}
