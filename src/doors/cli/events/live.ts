import { posix } from 'node:path';
import type { Event } from '../../../base/event-schema.ts';
import {
  AddressBook,
  commandOf,
  isHarmlessDevice,
  isLookup,
  numberOf,
  type RunCompleteness,
  sortPath,
  Trails,
  textOf,
} from '../../../engine/sensor/history/index.ts';
import type { Terminal } from '../terminal/index.ts';
import { renderCompleteness } from './completeness-line.ts';
import { type Context, type Description, describeEvent } from './describe.ts';
import { chooseDrawing } from './drawing.ts';
import { renderWhat, secondsSince } from './event-line.ts';
import { type CountedSort, type Folder, LiveProcess } from './live-process.ts';
import { LiveCounts } from './live-summary.ts';
import { cellsOf, cutEnd } from './shorten.ts';
import { paint } from './tone.ts';

/**
 * A run as it happens, for a person: what matters as lines below the process that did it, what every program does as
 * numbers. It only makes text; whoever owns it writes that where it belongs.
 *
 *        0.219    4140      sh -c 'node scripts/postinstall.js'
 *        0.294    4141          DECOY    /home/dev/.ssh/id_ed25519  SSH private key
 *        0.318    4141          + 190 reads of system files
 */

export interface LiveOptions {
  /** When the run began, on the clock of the events; without it, the first event is the beginning. */
  readonly startNs?: bigint;
}

export interface LiveSummary {
  readonly completeness: RunCompleteness;
}

const timeCells = 8;
const pidCells = 7;
const verbCells = 8;
const levelCells = 2;
/** The deepest indentation takes this part of a line. */
const deepestShare = 0.25;
const mostLevels = 32;
const mostProcesses = 20_000;
const mostEnded = 1000;
/** What was held back is shown after this time, if its process does anything at all. */
const heldNs = 2_000_000_000n;

/** Said by another event already, or only in the numbers at the end. */
const silentKinds = new Set<Event['kind']>(['heartbeat', 'disk-change', 'http-response']);

function isSilent({ kind, fields }: Event): boolean {
  if (kind === 'connection') return fields.state !== 'refused' && fields.state !== 'failed';
  return silentKinds.has(kind) || (kind === 'dns-answer' && (numberOf(fields.code) ?? 0) === 0);
}

/** How a read is counted instead of shown; null where it deserves a line. */
function countedSort({ kind, fields, outcome }: Event): CountedSort | null {
  if (kind === 'exec') return outcome === 'failed' ? 'failed' : null;
  const target = textOf(fields.path);
  if (kind === 'connect' || kind === 'bind' || kind === 'send-to')
    return isLookup(fields.family, target) ? 'system' : null;
  if (kind === 'open' && target !== null && isHarmlessDevice(target)) return 'system';
  const isRead = kind === 'open' && fields.creates !== true && fields.truncates !== true;
  if (!isRead || fields.access === 'write' || fields.access === 'read-write' || outcome === 'denied') return null;
  const sort = target === null ? 'own' : sortPath(target);
  if (sort !== 'own') return sort;
  return outcome === 'failed' ? 'failed' : null;
}

/** Rows of reads in one folder, and all that is done to installed packages, may be shown as one. */
function folderOf({ kind, fields, outcome }: Event, { verb }: Description): Folder | null {
  const path = textOf(fields.path);
  if (path === null || outcome === 'denied' || (kind !== 'open' && kind !== 'unlink' && kind !== 'mkdir')) return null;
  if (verb !== 'read' && verb !== 'look' && verb !== 'list' && sortPath(path) !== 'package') return null;
  return { path: posix.dirname(path), verb };
}

export class LiveView {
  readonly #terminal: Terminal;
  readonly #context: Context;
  readonly #processes = new Map<number, LiveProcess>();
  /** In the order of their ends. */
  readonly #ended: number[] = [];
  /** What no process can be named for, and what comes when there are too many. */
  readonly #loose = new LiveProcess(-1, 0n);
  readonly #counts = new LiveCounts();
  #startNs: bigint | null;
  #last: Event | null = null;

  constructor(terminal: Terminal, options: LiveOptions = {}) {
    this.#terminal = terminal;
    this.#context = { book: new AddressBook(), trails: new Trails(), drawing: chooseDrawing(terminal) };
    this.#startNs = options.startNs ?? null;
    this.#loose.isShown = true;
  }

  /** The text for these events, which come after all that were shown before. */
  show(events: readonly Event[]): string {
    return events.map((event, at) => this.#showOne(event, events[at + 1])).join('');
  }

  end({ completeness }: LiveSummary): string {
    const last = this.#last;
    const open: readonly (readonly [number | null, LiveProcess])[] = [...this.#processes, [null, this.#loose]];
    const held = last === null ? [] : open.map(([pid, process]) => this.#flush(last, pid, process, true));
    this.#processes.clear();
    return held.join('') + this.#counts.render(this.#terminal) + renderCompleteness(completeness, this.#terminal);
  }

  #showOne(event: Event, next: Event | undefined): string {
    this.#startNs ??= BigInt(event.at.monotonicNs);
    this.#last = event;
    this.#context.book.learn(event);
    this.#context.trails.learn(event);
    this.#counts.add(event);
    const pid = this.#ownerOf(event);
    const process = (pid === null ? null : this.#processFor(pid, event)) ?? this.#loose;
    if (isSilent(event) || event.kind === 'fork') return '';
    const nowNs = BigInt(event.at.monotonicNs);
    const due = process.isDue(nowNs, heldNs) ? this.#flush(event, pid, process, false) : '';
    return due + this.#deed(event, next, pid, process);
  }

  #deed(event: Event, next: Event | undefined, pid: number | null, process: LiveProcess): string {
    const sort = countedSort(event);
    if (sort !== null) {
      process.count(sort);
      return '';
    }
    if (event.kind === 'exec') {
      const held = process.isShown ? this.#flush(event, pid, process, true) : '';
      process.isShown = true;
      return held + this.#startLine(event, pid, process, commandOf(event) ?? '?');
    }
    if (event.kind === 'exit') {
      const held = this.#flush(event, pid, process, true);
      if (pid !== null) this.#noteEnd(pid, process);
      const line = this.#line(event, pid, process.depth + 1, describeEvent(event, this.#context));
      return process.isShown ? held + line : held;
    }
    if (isSaidByNext(event, next)) return '';
    const description = describeEvent(event, this.#context);
    const lines = process.add(description, folderOf(event, description));
    return (
      this.#introduce(event, pid, process) +
      lines.map((line) => this.#line(event, pid, process.depth + 1, line)).join('')
    );
  }

  #flush(event: Event, pid: number | null, process: LiveProcess, isLast: boolean): string {
    const lines = process.flush(BigInt(event.at.monotonicNs), isLast);
    // Nobody misses a process that did nothing but start.
    if (!process.isShown) return '';
    return lines.map((line) => this.#line(event, pid, process.depth + 1, line)).join('');
  }

  /** One that was forked and became no other program is named when it first does something. */
  #introduce(event: Event, pid: number | null, process: LiveProcess): string {
    if (process.isShown) return '';
    process.isShown = true;
    // Its arguments are those of its parent, which a line has shown if there is one.
    const name = process.depth > 0 ? textOf(event.process?.name) : commandOf(event);
    return this.#startLine(event, pid, process, `${name ?? '?'} (forked)`);
  }

  #startLine(event: Event, pid: number | null, process: LiveProcess, what: string): string {
    const lead = this.#lead(event, pid, process.depth);
    const { width, style } = this.#terminal;
    const shown = cutEnd(what, Math.max(0, width - lead.length), this.#context.drawing.ellipsis);
    return `${style.faint(lead)}${paint('start', shown, style)}\n`;
  }

  #lead(event: Event, pid: number | null, depth: number): string {
    const { width } = this.#terminal;
    const deepest = Math.min(mostLevels, Math.floor((width * deepestShare) / levelCells));
    const level = Math.max(0, Math.min(depth, deepest));
    const time = secondsSince(this.#startNs ?? 0n, event).padStart(timeCells);
    return `${time} ${String(pid ?? '-').padStart(pidCells)}  ${' '.repeat(levelCells * level)}`;
  }

  #line(event: Event, pid: number | null, depth: number, description: Description): string {
    const { style, width } = this.#terminal;
    const { ellipsis } = this.#context.drawing;
    const lead = this.#lead(event, pid, depth);
    const verb = description.verb === '' ? '' : `${description.verb.padEnd(verbCells)} `;
    const start = lead.length + cellsOf(verb);
    const [first = '', ...others] = renderWhat(description, Math.max(0, width - start), this.#terminal, ellipsis);
    const lines = [
      `${style.faint(lead)}${paint(description.tone, verb, style)}${first}`,
      ...others.map((other) => ' '.repeat(start) + other),
    ];
    return lines.map((line) => `${line}\n`).join('');
  }

  /** The wire knows no processes; where only one spoke to that address, it was that one. */
  #ownerOf(event: Event): number | null {
    if (event.process !== undefined) return event.process.pid;
    const [pid, ...others] = this.#context.trails.endsOf(event).senders;
    return pid !== undefined && others.length === 0 && this.#processes.has(pid) ? pid : null;
  }

  #noteEnd(pid: number, process: LiveProcess): void {
    process.isEnded = true;
    this.#ended.push(pid);
    if (this.#ended.length <= mostEnded) return;
    const oldest = this.#ended.shift();
    if (oldest !== undefined && this.#processes.get(oldest)?.isEnded === true) this.#processes.delete(oldest);
  }

  #processFor(pid: number, event: Event): LiveProcess | null {
    const known = this.#processes.get(pid);
    const isReborn = known?.isEnded === true && (event.kind === 'fork' || event.kind === 'exec');
    if ((known !== undefined && !isReborn) || event.process === undefined) return known ?? null;
    if (this.#processes.size >= mostProcesses) return null;
    const parent = this.#processes.get(event.process.parent);
    const above = parent?.depth ?? -1;
    // Below one that has no line there is nothing to indent from.
    const made = new LiveProcess(parent?.isShown === false ? above : above + 1, BigInt(event.at.monotonicNs));
    this.#processes.set(pid, made);
    this.#counts.addProcess();
    return made;
  }
}

/** A decoy that is opened is reported twice: as any file, and as what it is. */
function isSaidByNext(event: Event, next: Event | undefined): boolean {
  return (
    event.kind === 'open' &&
    next?.kind === 'bait-read' &&
    next.process?.pid === event.process?.pid &&
    textOf(next.fields.path) === textOf(event.fields.path)
  );
}
