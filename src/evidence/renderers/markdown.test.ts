import { describe, expect, it } from 'vitest';
import { poison } from './html/sample-poison.ts';
import { emptyStory, hostileSubject, sampleReport, stillbornSubject, weakSubject } from './html/sample-report.ts';
import { markdown } from './markdown.ts';
import { inline } from './markdown-text.ts';

function render(...subjects: Parameters<typeof sampleReport>[0]): string {
  return markdown.render({ report: sampleReport(subjects), rules: [], boms: [] });
}

describe('an analysis as Markdown', () => {
  it('begins with the verdict and what it rests on', () => {
    const text = render(hostileSubject(emptyStory));
    expect(text).toContain('**Fails**: risk 98 of 100.');
    expect(text).toContain('| hostility | **malicious** | A | A private SSH key left the box right after the start |');
    expect(text).toContain('**Coverage:** tools 2 of 2; parameters 3 of 3;');
    expect(text.indexOf('**Fails**')).toBeLessThan(text.indexOf('### critical'));
  });

  it('tells a proof step by step, and how to see it again', () => {
    const text = render(weakSubject(emptyStory));
    expect(text).toMatch(
      /1\. \*call\* tools\/call count\\_words: .*\(event 188\)\n2\. \*process\*.*\n3\. \*event\*.*\n4\. \*effect\* our command ran/,
    );
    expect(text).toMatch(/See it again:\n\n```text\nhotcell replay/);
  });

  it('says what it needs and what it will not get', () => {
    const text = render(hostileSubject(emptyStory));
    expect(text).toContain('- connect api.notes.example:443: its README names it');
    expect(text).toContain('Tried, and refused:');
  });

  it('never calls clean what did not start', () => {
    const text = render(stillbornSubject());
    expect(text).toContain('**Inconclusive**: too little is known to say.');
    expect(text).toContain('It did not start');
    expect(text).toContain('ECONNREFUSED');
    expect(text).not.toContain('Passes');
  });

  it('has no line and no markup of a target outside of its fences', () => {
    const evil = '\n# heading\n| a | b |\n<img src=x> **bold** [x](http://evil.example) @everyone `code`\n```\n';
    const made = poison(sampleReport([hostileSubject(emptyStory), stillbornSubject()]), evil);
    const text = markdown.render({ report: { ...made, instrument: 'analyze' }, rules: [], boms: [] });
    const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(outside.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# Hotcell analyze']);
    expect(outside).not.toMatch(/(?<!\\)<img|@everyone|http:\/\/evil|(?<!\\)\*\*bold/);
  });
});

describe('text in a line', () => {
  it.each([
    { text: 'https://evil.example/x', shown: 'https\\://evil.example/x' },
    { text: 'www.evil.example', shown: 'www\\.evil.example' },
    { text: '@maintainer', shown: '@<!-- -->maintainer' },
    { text: 'a@b', shown: 'a@b' },
    { text: 'a | b', shown: 'a \\| b' },
    { text: 'a\nb', shown: 'a\\\\x0ab' },
  ])('$text is no markup', ({ text, shown }) => {
    expect(inline(text)).toBe(shown);
  });
});
