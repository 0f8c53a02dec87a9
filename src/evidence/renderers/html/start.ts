import type { Analysis } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, count, section } from './pieces.ts';

/** How it was started and why in this way, or why it was not. */
export function startSection({ start, server, backend, run }: Analysis, prefix: string): Markup {
  const { isStarted, transport, argv, because, attempts, guess, stderrTail } = start;
  const words = argv.slice(0, 64).map((word) => markup`<span>${cut(word, 600)}</span> `);
  const facts = [
    isStarted ? chip('started', 'good') : chip('did not start', 'unknown'),
    ...(transport === null ? [] : [chip(transport)]),
    chip(count(attempts, 'attempt')),
    chip(markup`box: ${backend}`),
    chip(markup`run ${run}`),
    ...(server === null ? [] : [chip(markup`protocol ${cut(server.protocol, 40)}`)]),
  ];
  const reasons = because.map((each) => markup`<li>${each}</li>`);
  const failure = markup`${guess === undefined ? nothing : markup`<p><b>Best guess:</b> ${guess}</p>`}${
    stderrTail === undefined
      ? nothing
      : markup`<p class="faint">The end of what it wrote</p><pre>${cut(stderrTail, 6000)}</pre>`
  }`;
  return section(
    `${prefix}-start`,
    'How it was started',
    markup`<p>${facts.map((fact) => markup`${fact} `)}</p>${words.length === 0 ? nothing : markup`<pre class="command">${words}</pre>`}${
      reasons.length === 0 ? nothing : markup`<ul class="reasons">${reasons}</ul>`
    }${isStarted ? nothing : failure}`,
  );
}
