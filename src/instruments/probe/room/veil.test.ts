import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Veil } from './veil.ts';

const veilOf = (value: string): Veil => new Veil({ name: 'api', header: 'Authorization', value });
const stars = (text: string): string => '*'.repeat(text.length);

describe('Veil', () => {
  it.each([
    ['Bearer abcdefgh', 'x Bearer abcdefgh y abcdefgh', `x ${stars('Bearer abcdefgh')} y ${stars('abcdefgh')}`],
    ['key"with\\signs', JSON.stringify('key"with\\signs'), `"${stars('key\\"with\\\\signs')}"`],
    ['a/b c+d=e', `?x=${encodeURIComponent('a/b c+d=e')}`, `?x=${stars(encodeURIComponent('a/b c+d=e'))}`],
    ['secret', 'secretsecretsecre', `${stars('secretsecret')}secre`],
    // Too short to be told from words.
    ['admin', 'admin', 'admin'],
    ['Bearer x', 'Bearer x, x', `${stars('Bearer x')}, x`],
  ])('hides %j', async (value, said, shown) => {
    expect(veilOf(value).hide(Buffer.from(said)).toString()).toBe(shown);
    for (const size of [1, 2, 5, 100]) {
      const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
      expect((await buffer(veilOf(value).over(stream))).toString()).toBe(shown);
    }
  });

  it('hands a stream on as it is where there is nothing to hide', () => {
    const stream = Readable.from([]);
    expect(new Veil(null).over(stream)).toBe(stream);
    expect(veilOf('short').over(stream)).toBe(stream);
  });

  it('ends when the stream is destroyed, with what it had', async () => {
    const stream = new Readable({ read: () => undefined });
    const veiled = veilOf('long enough').over(stream);
    stream.push('half of it');
    await new Promise((resolve) => setImmediate(resolve));
    stream.destroy();
    expect((await buffer(veiled)).toString()).toBe('half of it');
  });
});
