import type { Event } from '../../../../src/base/event-schema.ts';

/** Counts the events that ../actions/storm.pl causes, as they come, without keeping any of them. */

export interface Storm {
  readonly opens: number;
  readonly execs: number;
  readonly connects: number;
}

type Fields = Event['fields'];
/** The number of an event within its row, or null where it does not belong to the storm. */
type Recognise = (fields: Fields) => number | null;

function textOf(value: Fields[string] | undefined): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value.text === 'string'
    ? value.text
    : '';
}

function numberAfter(text: string, prefix: string): number | null {
  if (!text.startsWith(prefix)) return null;
  const digits = text.slice(prefix.length);
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null;
}

function numberOfAddress({ address, port }: Fields): number | null {
  const [, high, low] = /^127\.77\.(\d{1,3})\.(\d{1,3})$/.exec(typeof address === 'string' ? address : '') ?? [];
  return port === 1 && high !== undefined ? Number(high) * 256 + Number(low) : null;
}

/** One row of actions that are numbered from 0 and each happen once. */
class Row {
  readonly #seen: Uint8Array;
  readonly #name: string;
  readonly #recognise: Recognise;
  readonly #pids = new Set<number>();
  #last = -1;
  count = 0;
  #strangers = 0;
  #outOfOrder = 0;

  constructor(name: string, size: number, recognise: Recognise) {
    this.#name = name;
    this.#seen = new Uint8Array(size);
    this.#recognise = recognise;
  }

  get pids(): ReadonlySet<number> {
    return this.#pids;
  }

  take({ fields, process }: Event): void {
    const number = this.#recognise(fields);
    if (number === null) return;
    this.count += 1;
    if (process !== undefined) this.#pids.add(process.pid);
    if (number >= this.#seen.length) {
      this.#strangers += 1;
      return;
    }
    this.#seen[number] = Math.min(255, (this.#seen[number] ?? 0) + 1);
    if (number < this.#last) this.#outOfOrder += 1;
    this.#last = number;
  }

  misses(): readonly string[] {
    const lost = this.#seen.reduce((sum, times) => sum + (times === 0 ? 1 : 0), 0);
    const repeated = this.#seen.reduce((sum, times) => sum + (times > 1 ? 1 : 0), 0);
    const total = this.#seen.length;
    const of = (count: number, what: string): readonly string[] =>
      count === 0 ? [] : [`${count} of ${total} ${this.#name} ${what}`];
    return [
      ...of(lost, `are lost, the first of them number ${this.#seen.indexOf(0)}`),
      ...of(repeated, 'came more than once'),
      ...of(this.#outOfOrder, 'came after a later one'),
      ...of(this.#strangers, 'are none that was made'),
    ];
  }
}

export class StormCounter {
  readonly #rows: { readonly open: Row; readonly exec: Row; readonly connect: Row };
  readonly #storm: Storm;
  /** Children that exec without the storm as their parent. */
  #wrongParents = 0;

  /** `scratch` is the folder as the program was given it. */
  constructor(scratch: string, storm: Storm) {
    this.#storm = storm;
    this.#rows = {
      open: new Row('opens', storm.opens, ({ path }) => numberAfter(textOf(path), `${scratch}/storm-`)),
      exec: new Row('execs', storm.execs, ({ argv }) =>
        numberAfter(textOf(Array.isArray(argv) ? argv[1] : undefined), 'storm-exec-'),
      ),
      connect: new Row('connects', storm.connects, numberOfAddress),
    };
  }

  take(event: Event): void {
    const { kind, process } = event;
    if (kind !== 'open' && kind !== 'exec' && kind !== 'connect') return;
    const row = this.#rows[kind];
    const before = row.count;
    row.take(event);
    if (kind !== 'exec' || row.count === before || this.#rows.open.pids.size === 0) return;
    if (process === undefined || !this.#rows.open.pids.has(process.parent)) this.#wrongParents += 1;
  }

  get counts(): Storm {
    const { open, exec, connect } = this.#rows;
    return { opens: open.count, execs: exec.count, connects: connect.count };
  }

  /** Every way in which the events are not the storm, for people. Nothing when all is well. */
  misses(): readonly string[] {
    const { open, exec, connect } = this.#rows;
    const storms = new Set([...open.pids, ...connect.pids]);
    const isExecByStorm = [...exec.pids].some((pid) => storms.has(pid));
    return [
      ...open.misses(),
      ...exec.misses(),
      ...connect.misses(),
      ...(storms.size > 1 ? [`${storms.size} processes opened and connected, and there was one`] : []),
      ...(isExecByStorm ? ['an exec is told of the process that forked, not of the one that became the program'] : []),
      ...(this.#wrongParents > 0 ? [`${this.#wrongParents} of ${this.#storm.execs} execs have another parent`] : []),
    ];
  }
}
