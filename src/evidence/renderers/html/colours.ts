import { type Markup, markup } from './markup.ts';

/** Each tone has at least 4.5 : 1 on a card, in light and in dark; `--on` is what is written on a tone. */

const light = markup`--page:#f4f4f1;--card:#fff;--sunk:#f3f3ef;--ink:#1c1e22;--soft:#575d66;--line:#dfdfd9;--on:#fff;--critical:#b0102c;--high:#b8420c;--medium:#8a5a00;--low:#22609f;--info:#575d66;--good:#17713c;--unknown:#5e5580;--plain:#575d66`;
const dark = markup`--page:#111316;--card:#191c20;--sunk:#22262b;--ink:#e8eaed;--soft:#a4abb5;--line:#30353c;--on:#14161a;--critical:#ff7384;--high:#ff935f;--medium:#e3b34b;--low:#76b4fb;--info:#a4abb5;--good:#5fcb8b;--unknown:#b9aee0;--plain:#a4abb5`;

const tones = ['critical', 'high', 'medium', 'low', 'info', 'good', 'unknown', 'plain'];

export const colours: Markup = markup`
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
@media print{:root{color-scheme:light;${light};--page:#fff}}
${tones.map((tone) => markup`.${tone}{--tone:var(--${tone})}`)}
`;
