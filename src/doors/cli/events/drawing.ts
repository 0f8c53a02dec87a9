import type { Terminal } from '../terminal/index.ts';

/** Lines and marks of a drawing. */
export interface Drawing {
  readonly ellipsis: string;
  readonly arrow: string;
  /** Before one that others follow, and before the last. */
  readonly branch: string;
  readonly lastBranch: string;
  /** Below them. */
  readonly trunk: string;
  readonly blank: string;
  readonly times: string;
}

const drawn: Drawing = {
  ellipsis: '…',
  arrow: '→',
  branch: '├─ ',
  lastBranch: '└─ ',
  trunk: '│  ',
  blank: '   ',
  times: '×',
};
const plain: Drawing = {
  ellipsis: '...',
  arrow: '->',
  branch: '|- ',
  lastBranch: '`- ',
  trunk: '|  ',
  blank: '   ',
  times: 'x',
};

/** A terminal that is given an arrow can draw lines as well. */
export function chooseDrawing({ symbols }: Terminal): Drawing {
  return /^[\x20-\x7e]*$/.test(symbols.arrow) ? plain : drawn;
}
