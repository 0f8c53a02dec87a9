import { colours } from './colours.ts';
import { layout } from './layout.ts';
import { type Markup, markup } from './markup.ts';
import { pictures } from './pictures.ts';
import { smallAndPaper } from './small-and-paper.ts';

/** All of the style, in the order in which it applies. Only fonts that every system has. */
export const style: Markup = markup`${colours}${layout}${pictures}${smallAndPaper}`;
