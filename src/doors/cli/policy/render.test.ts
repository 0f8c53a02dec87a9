import { describe, expect, it } from 'vitest';
import { describeTerminal } from '../terminal/index.ts';
import { renderComparison, renderExplanation, renderGaps, renderNotices } from './render.ts';

const wide = describeTerminal({ color: 'never', isTerminal: false, columns: undefined, environment: {} });
const narrow = { ...wide, width: 40 };

describe('policies in words', () => {
  it('tells weaker from stricter', () => {
    const gaps = [
      { id: 'a', path: 'files', what: 'less', effect: 'open' },
      { id: 'b', path: 'network', what: 'more', effect: 'closed' },
    ] as const;
    expect(renderGaps(gaps, wide)).toBe('  !  weaker    files    less\n  -  stricter  network  more\n');
    expect(renderGaps([], wide)).toBe('');
  });

  it('spells out what a stranger wrote', () => {
    expect(renderNotices([{ id: 'x', path: 'a\u001b[2J', what: 'b\u202ec\nd' }], wide)).toBe(
      '  !  a\\x1b[2J  b\\u{202e}c\\x0ad\n',
    );
  });

  it('wraps an explanation below itself and keeps its paragraphs', () => {
    const text = 'It may read:\n  /usr /bin: programs and libraries of the system\n\nEnd.\n';
    expect(renderExplanation(text, narrow)).toBe(
      'It may read:\n  /usr /bin: programs and libraries\n      of the system\n\nEnd.\n',
    );
    expect(renderExplanation(text, wide)).toBe(text);
  });

  const more = [{ subject: 'files', what: 'read /etc' }] as const;
  const comparisons: readonly [string, Parameters<typeof renderComparison>[0], string][] = [
    ['nothing', { names: ['A', 'B'], more: [], less: [] }, 'B allows nothing that A does not.\n'],
    ['more', { names: ['A', 'B'], more, less: [] }, '  +  files  read /etc\nB allows 1 thing that A does not.\n'],
    ['less', { names: ['A', 'B'], more: [], less: more }, '  -  files  read /etc\nB allows nothing that A does not.\n'],
  ];
  it.each(comparisons)('compares: %s', (_, comparison, text) => {
    expect(renderComparison(comparison, wide)).toBe(text);
  });
});
