import { resolve } from 'node:path';
import type { Event } from '../../../base/event-schema.ts';
import {
  AddressBook,
  type Entry,
  EventFile,
  type EventFilter,
  isWanted,
  ProcessTree,
  readCompleteness,
  Trails,
} from '../../../engine/sensor/history/index.ts';
import type { Door } from '../definition.ts';
import { exitCodeOf } from '../interrupts.ts';
import { count, formatJson, type Terminal } from '../terminal/index.ts';
import { renderCompleteness } from './completeness-line.ts';
import { chooseDrawing } from './drawing.ts';
import { renderEventLine } from './event-line.ts';
import { LineOutput } from './output.ts';
import { type EventWishes, readFilter, readLimit } from './query.ts';
import { treeLines } from './render-tree.ts';
import { treeRecords } from './tree-records.ts';

/** What is said about the log itself, below the events. */
interface Ending {
  readonly notes: readonly string[];
}

type Show = (file: EventFile, filter: EventFilter, output: LineOutput) => Promise<Ending>;

interface LineMaker {
  /** Gets every event, wanted or not. */
  learn(event: Event): void;
  render(entry: Entry, startNs: bigint): string;
}

function showList(limit: number | null, maker: LineMaker): Show {
  return async (file, filter, output) => {
    let startNs: bigint | null = null;
    let shown = 0;
    let seen = 0;
    for await (const batch of file.batches()) {
      for (const entry of batch) {
        startNs ??= BigInt(entry.event.at.monotonicNs);
        seen += 1;
        maker.learn(entry.event);
        if (!isWanted(entry.event, filter)) continue;
        if (shown === limit) return { notes: [`stopped after ${count(shown, 'event')}, as asked for with --limit`] };
        shown += 1;
        output.add(maker.render(entry, startNs));
      }
      await output.settle();
      if (output.isUnread) break;
    }
    return { notes: shown > 0 ? [] : [seen === 0 ? 'no events' : `none of ${count(seen, 'event')} matches`] };
  };
}

const jsonLines: LineMaker = { learn: () => {}, render: ({ line }) => formatJson(JSON.parse(line), 0) };

function readableLines(terminal: Terminal, book: AddressBook): LineMaker {
  const context = { book, trails: new Trails(), drawing: chooseDrawing(terminal) };
  return {
    learn: (event) => {
      context.book.learn(event);
      context.trails.learn(event);
    },
    render: ({ event }, startNs) => renderEventLine(event, startNs, context, terminal),
  };
}

function showTree(render: (tree: ProcessTree) => Iterable<string>): Show {
  return async (file, filter, output) => {
    const tree = new ProcessTree({ wants: (event) => isWanted(event, filter), book: await readNames(file) });
    for await (const batch of file.batches()) {
      for (const { event } of batch) tree.add(event);
      if (output.isUnread) break;
    }
    let lines = 0;
    for (const line of render(tree)) {
      output.add(line);
      lines += 1;
      await output.settle();
      if (output.isUnread) break;
    }
    return { notes: lines === 0 ? ['no process did anything that matches'] : [] };
  };
}

/** The answer to a question may stand in the log after the connection that was made with it. */
async function readNames(file: EventFile): Promise<AddressBook> {
  const book = new AddressBook();
  for await (const batch of file.mentions('"dns-answer"')) for (const { event } of batch) book.learn(event);
  return book;
}

function chooseShow(wishes: EventWishes, door: Door): Show {
  const limit = readLimit(wishes);
  const { terminal } = door;
  if (wishes.tree) return showTree((tree) => (wishes.json ? treeRecords(tree) : treeLines(tree, terminal, limit)));
  if (wishes.json) return showList(limit, jsonLines);
  return async (file, filter, output) => {
    const maker = readableLines(terminal, await readNames(file));
    return showList(limit, maker)(file, filter, output);
  };
}

export async function runEventsCommand(
  wishes: EventWishes,
  [path = '']: readonly string[],
  door: Door,
): Promise<number> {
  const filter = readFilter(wishes);
  const show = chooseShow(wishes, door);
  const output = new LineOutput(door.stdout, door.readerGone);
  await using file = await EventFile.open(resolve(door.caller.folder, path));
  let ending: Ending;
  try {
    ending = await show(file, filter, output);
  } finally {
    // What came before a broken line is still worth reading.
    await output.flush();
  }
  if (output.isUnread) return exitCodeOf('SIGPIPE');
  // Beside data for a program, what is said to people goes elsewhere.
  const [stream, terminal] = wishes.json ? [door.stderr, door.errorTerminal] : [door.stdout, door.terminal];
  const notes = [...ending.notes, ...(file.hasOpenEnd ? ['the last line is still being written; it is left out'] : [])];
  stream.write(notes.map((note) => `${terminal.style.faint(note)}\n`).join(''));
  stream.write(renderCompleteness(await readCompleteness(file.folder), terminal));
  return 0;
}
