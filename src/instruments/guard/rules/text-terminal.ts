import type { MessageRule } from '../contract.ts';
import { kinds } from './characters.ts';
import type { Shared } from './look.ts';
import { changeTexts, showPath } from './texts.ts';

const rule = 'text/terminal';
const title = 'Control sequences for a terminal';

/** What steers a terminal: colours, cursor, titles, links, clipboard. The text of a link stays, its address goes. */
const sequences = new RegExp(
  [
    // Strings with an end: titles, links (OSC 8), clipboard (OSC 52), device control.
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c]{0,8192}(?:\\u0007|\\u001b\\\\|\\u009c)',
    // Colours, cursor, screen.
    '(?:\\u001b\\[|\\u009b)[0-?]{0,64}[ -/]{0,8}[@-~]',
    '\\u001b[ -/]{0,8}[0-~]',
    // What is left of them, and single controls. Tab, new line, form feed and carriage return are text.
    '[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f-\\u009f]',
  ].join('|'),
  'g',
);

export function withoutControls(text: string): string {
  return text.replaceAll('\u0085', '\n').replace(sequences, '');
}

const control = /[\0-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;

export function textTerminal({ look }: Shared): MessageRule {
  return {
    id: rule,
    title,
    methods: ['*'],
    directions: ['to-client'],
    judge(message) {
      const seen = look(message);
      if (seen.isPlain || !seen.has(kinds.control)) return { is: 'pass' };
      const [first] = seen.texts.filter(({ text, kind }) => kind !== 'binary' && control.test(text));
      if (first === undefined) return { is: 'pass' };
      const hit = {
        rule,
        title,
        what: 'control sequences for a terminal in what the server says were taken out',
        remedy: 'Nothing has to be done. Many programs have a setting for output without colours.',
        details: { at: showPath(first.path) },
      };
      const value = changeTexts(message, withoutControls);
      if (value !== message.value) return { is: 'change', value, hits: [hit] };
      return {
        is: 'pass',
        noted: [{ ...hit, what: 'control sequences for a terminal in a name, which was left as it is' }],
      };
    },
  };
}
