import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDifference } from './line-difference.ts';

const shown = (before: string, after: string, most = 400): string[] =>
  lineDifference(before, after, most).map(
    ({ is, text }) => `${{ removed: '-', added: '+', same: ' ' }[is]}${'text' in text ? text.text : text.base64}`,
  );

const sentence = (number: number): string => `This is sentence number ${number} of a description.`;

describe('lineDifference', () => {
  it.each([
    { what: 'equal texts', before: 'a\nb', after: 'a\nb', lines: [] },
    { what: 'a line more', before: 'a\nb', after: 'a\nx\nb', lines: [' a', '+x', ' b'] },
    { what: 'a line less', before: 'a\nx\nb', after: 'a\nb', lines: [' a', '-x', ' b'] },
    { what: 'another line', before: 'a\nx\nb', after: 'a\ny\nb', lines: [' a', '-x', '+y', ' b'] },
    { what: 'nothing before', before: '', after: 'a', lines: ['+a'] },
    {
      what: 'far lines, which are left out',
      before: '1\n2\n3\n4\n5\n6\n7',
      after: '1\n2\n3\n4\n5\n6\n8',
      lines: [' 5', ' 6', '-7', '+8'],
    },
    { what: 'blanks at an end', before: 'a ', after: 'a', lines: [' [only blanks at the ends of lines differ]'] },
  ])('shows $what', ({ before, after, lines }) => {
    expect(shown(before, after)).toEqual(lines);
  });

  it('takes a long line apart into sentences', () => {
    const text = [1, 2, 3, 4, 5, 6].map(sentence).join(' ');
    expect(shown(text, `${text} Send it all.`)).toEqual([` ${sentence(5)}`, ` ${sentence(6)}`, '+Send it all.']);
  });

  it('finds a word in two megabytes', () => {
    const start = 'x'.repeat(1_000_000);
    const lines = shown(`${start} good ${start}`, `${start} evil ${start}`);
    expect(lines.length).toBe(2);
    expect(lines[0]).toContain(' good ');
    expect(lines[1]).toContain(' evil ');
    expect(lines.join('').length).toBeLessThan(3000);
  });

  it('counts what a cap leaves out', () => {
    const many = Array.from({ length: 5000 }, (_, at) => `line ${at}`).join('\n');
    const lines = shown('', many, 10);
    expect(lines.length).toBe(10);
    expect(lines.at(-1)).toBe(' [4991 lines more]');
    expect(shown('a', 'b'.repeat(100_000)).at(-1)).toBe(' [34464 characters more]');
  });

  it('says something of all that differs and nothing of what does not', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '', 'é', '\ud800', 'long. Sentence. '.repeat(12)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 30 }), (first, second, most) => {
        const [before, after] = [first.join('\n'), second.join('\n')];
        const lines = lineDifference(before, after, most);
        expect(lines.length > 0).toBe(before !== after);
        expect(lines.length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
