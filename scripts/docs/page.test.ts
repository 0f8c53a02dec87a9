import { describe, expect, it } from 'vitest';
import { pages } from './index.ts';
import { replacePart, table } from './page.ts';

describe('table', () => {
  it('keeps a cell in its row', () => {
    expect(table(['a', 'b'], [['x|y', 'two\nlines']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | two lines |\n');
  });
});

describe('replacePart', () => {
  const file = 'before\n<!-- generated: x -->\nold\n<!-- end of x -->\nafter\n';

  it('changes what is between the marks and nothing else', () => {
    const once = replacePart(file, 'x', 'new');
    expect(once).toBe('before\n<!-- generated: x -->\n\nnew\n\n<!-- end of x -->\nafter\n');
    expect(replacePart(once ?? '', 'x', 'new')).toBe(once);
  });

  it.each([
    'no marks',
    '<!-- generated: x -->',
    '<!-- end of x --> <!-- generated: x -->',
    '<!-- generated: y --><!-- end of y -->',
  ])('has no place in %j', (text) => {
    expect(replacePart(text, 'x', 'new')).toBeNull();
  });
});

describe('pages', () => {
  it.each(pages.map((page) => [page.part ?? page.path, page] as const))('%s is the same every time', (_, page) => {
    const text = page.render();
    expect(text.length).toBeGreaterThan(200);
    expect(page.render()).toBe(text);
  });
});
