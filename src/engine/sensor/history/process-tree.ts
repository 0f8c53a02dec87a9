import type { Event, EventProcess } from '../../../base/event-schema.ts';
import { mebibyte } from '../../../base/limits.ts';
import { AddressBook } from './address-book.ts';
import { commandOf } from './command.ts';
import { deedOf, type Learned } from './deed.ts';
import { Deeds, type NameBudget } from './deeds.ts';
import { numberOf, textOf } from './field-text.ts';
import { Trails } from './trails.ts';

/** The processes of a run and what each did, from its events in order. Memory has a limit however long the log is. */

const mostProcesses = 20_000;
const mostPrograms = 8;

export interface ProcessNode {
  readonly pid: number;
  parent: ProcessNode | null;
  readonly children: ProcessNode[];
  name: string | null;
  /** As it was called when it was first seen; of one that was only forked that is its parent's. */
  command: string | null;
  /** What it became, one after the other; of many the first few. */
  readonly programs: string[];
  programCount: number;
  readonly deeds: Deeds;
  startedNs: bigint | null;
  endedNs: bigint | null;
  /** `exit 0` or `signal 9`. */
  end: string | null;
  /** Known only as somebody's parent. */
  isGuessed: boolean;
  /** It, or something that it did, was asked for. */
  isWanted: boolean;
}

export interface TreeOptions {
  /** Whether an event's deed counts; the shape of the tree comes from all of them. */
  readonly wants: (event: Event) => boolean;
  /** Names that are known from the start. */
  readonly book?: AddressBook;
}

function describeEnd({ fields }: Event): string {
  const signal = textOf(fields.signal);
  return signal === null ? `exit ${numberOf(fields.code) ?? '?'}` : `signal ${signal}`;
}

export class ProcessTree {
  readonly #wants: TreeOptions['wants'];
  readonly #learned: Learned;
  readonly #budget: NameBudget = { characters: 32 * mebibyte };
  readonly #byPid = new Map<number, ProcessNode>();
  readonly #all: ProcessNode[] = [];
  /** What no sensor could tie to a process. */
  readonly loose: Deeds = new Deeds(this.#budget);
  #tooMany = 0;

  constructor({ wants, book }: TreeOptions) {
    this.#wants = wants;
    this.#learned = { book: book ?? new AddressBook(), trails: new Trails() };
  }

  /** Processes that came when there was no room left; what they did is counted among the loose deeds. */
  get missingProcesses(): number {
    return this.#tooMany;
  }

  add(event: Event): void {
    this.#learned.book.learn(event);
    this.#learned.trails.learn(event);
    const own = event.process === undefined ? null : this.#nodeFor(event.process, event);
    if (own !== null) this.#shape(own, event);
    const node = event.process === undefined ? this.#speakerOf(event) : own;
    if (!this.#wants(event)) return;
    if (node !== null) node.isWanted = true;
    const deed = deedOf(event, this.#learned);
    if (deed !== null) (node?.deeds ?? this.loose).add(deed);
  }

  /** The wire knows no processes; where only one spoke to that address, it was that one. */
  #speakerOf(event: Event): ProcessNode | null {
    const { senders } = this.#learned.trails.endsOf(event);
    const [pid, ...others] = senders;
    return pid === undefined || others.length > 0 ? null : (this.#byPid.get(pid) ?? null);
  }

  #shape(node: ProcessNode, event: Event): void {
    const ns = BigInt(event.at.monotonicNs);
    node.startedNs ??= ns;
    node.name = textOf(event.process?.name) ?? node.name;
    node.command ??= commandOf(event);
    // One that failed is a search for the program, or none that ran.
    if (event.kind === 'exec' && event.outcome !== 'failed' && event.outcome !== 'denied') {
      node.programCount += 1;
      const command = commandOf(event);
      if (command !== null && node.programs.length < mostPrograms) node.programs.push(command);
    }
    if (event.kind === 'exit') {
      node.endedNs = ns;
      node.end = describeEnd(event);
    }
  }

  #nodeFor({ pid, parent }: EventProcess, { kind }: Event): ProcessNode | null {
    const known = this.#byPid.get(pid);
    // The kernel hands numbers out again: a process that is born is a new one, whoever had its number before.
    const isReborn = known !== undefined && known.end !== null && (kind === 'fork' || kind === 'exec');
    if (known !== undefined && !isReborn) {
      if (known.isGuessed) this.#settle(known, parent);
      return known;
    }
    if (this.#all.length >= mostProcesses) {
      if (kind === 'fork' || kind === 'exec') this.#tooMany += 1;
      return null;
    }
    const node = this.#make(pid);
    this.#settle(node, parent);
    return node;
  }

  #make(pid: number): ProcessNode {
    const node: ProcessNode = {
      pid,
      parent: null,
      children: [],
      name: null,
      command: null,
      programs: [],
      programCount: 0,
      deeds: new Deeds(this.#budget),
      startedNs: null,
      endedNs: null,
      end: null,
      isGuessed: true,
      isWanted: false,
    };
    this.#byPid.set(pid, node);
    this.#all.push(node);
    return node;
  }

  /** Ties a process to its parent, once. A log that says that a process is its own ancestor is not followed. */
  #settle(node: ProcessNode, parentPid: number): void {
    node.isGuessed = false;
    if (parentPid === node.pid || parentPid === 0) return;
    const parent = this.#byPid.get(parentPid) ?? this.#make(parentPid);
    // Only one that has children can be its own ancestor.
    if (node.children.length > 0)
      for (let above: ProcessNode | null = parent; above !== null; above = above.parent) if (above === node) return;
    node.parent = parent;
    parent.children.push(node);
  }

  /** The processes that nobody in the log started. One that is only known by its number is left out. */
  roots(): readonly ProcessNode[] {
    return this.#all.flatMap((node) => {
      if (node.isGuessed) return [];
      return node.parent === null || (node.parent.isGuessed && node.parent.parent === null) ? [node] : [];
    });
  }
}

export interface PlacedNode {
  readonly node: ProcessNode;
  readonly depth: number;
  /** For every level from the first: whether something follows there. */
  readonly followers: readonly boolean[];
}

/** Those that are wanted themselves or lead to one that is. */
function findKept(roots: readonly ProcessNode[]): ReadonlySet<ProcessNode> {
  const kept = new Set<ProcessNode>();
  const open = [...roots];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    open.push(...node.children);
    if (!node.isWanted) continue;
    for (let above: ProcessNode | null = node; above !== null && !kept.has(above); above = above.parent)
      kept.add(above);
  }
  return kept;
}

/** Deeper ones are shown at this depth: a chain of a thousand forks must not become a thousand columns. */
const deepestShown = 64;

/** The tree in the order of drawing, without recursion: its depth is the choice of the target. */
export function* walkTree(roots: readonly ProcessNode[]): Generator<PlacedNode> {
  const kept = findKept(roots);
  const place = (nodes: readonly ProcessNode[], above: readonly boolean[], depth: number): PlacedNode[] => {
    const shown = nodes.filter((node) => kept.has(node));
    return shown.map((node, at) => ({
      node,
      depth,
      followers: [...above, at < shown.length - 1].slice(-deepestShown),
    }));
  };
  const open = place(roots, [], 0).reverse();
  for (let placed = open.pop(); placed !== undefined; placed = open.pop()) {
    yield placed;
    open.push(...place(placed.node.children, placed.followers, placed.depth + 1).reverse());
  }
}
