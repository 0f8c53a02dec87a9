import { displayWidth } from '../terminal/index.ts';

/** Text that has to fit a number of cells. It is safe for a terminal already, and has no colours yet. */

const plain = /^[\x20-\x7e]*$/;

export function cellsOf(text: string): number {
  return plain.test(text) ? text.length : displayWidth(text);
}

function take(characters: Iterable<string>, cells: number): string[] {
  const part: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += cellsOf(character);
    if (used > cells) break;
    part.push(character);
  }
  return part;
}

export function takeStart(text: string, cells: number): string {
  if (cells <= 0) return '';
  return plain.test(text) ? text.slice(0, cells) : take(text, cells).join('');
}

export function takeEnd(text: string, cells: number): string {
  if (cells <= 0) return '';
  return plain.test(text)
    ? text.slice(-cells)
    : take([...text].reverse(), cells)
        .reverse()
        .join('');
}

/** The beginning, where the end says less. */
export function cutEnd(text: string, cells: number, ellipsis: string): string {
  if (cellsOf(text) <= cells) return text;
  return takeStart(takeStart(text, cells - cellsOf(ellipsis)).trimEnd() + ellipsis, cells);
}

function cutMiddle(text: string, cells: number, ellipsis: string): string {
  const room = cells - cellsOf(ellipsis);
  if (room <= 0) return takeStart(ellipsis, cells);
  const tail = takeEnd(text, Math.floor(room / 2));
  return takeStart(text, room - cellsOf(tail)) + ellipsis + tail;
}

/** Fewer cells of the folders than this say nothing. */
const shortestHead = 3;

/** A path loses its middle, so that the name of the file stays. */
export function shortenPath(path: string, cells: number, ellipsis: string): string {
  if (cellsOf(path) <= cells) return path;
  const slash = path.lastIndexOf('/', path.length - 2);
  const name = slash === -1 ? path : path.slice(slash);
  const room = cells - cellsOf(ellipsis) - cellsOf(name);
  if (slash <= 0 || room < shortestHead) return cutMiddle(path, cells, ellipsis);
  return takeStart(path, room) + ellipsis + name;
}

export type Cut = 'path' | 'end';

export function shorten(text: string, cut: Cut, cells: number, ellipsis: string): string {
  return cut === 'path' ? shortenPath(text, cells, ellipsis) : cutEnd(text, cells, ellipsis);
}
