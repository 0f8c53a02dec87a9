import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';

/**
 * What a target writes must not steer the reader's terminal: on its way to one, every control and invisible character
 * but new line and tab is spelled out. A character that is split over two chunks stays one character.
 */
export function createSafeOutput(): Transform {
  const decoder = new StringDecoder('utf8');
  const spellOut = (text: string) => forTerminal(untrusted(text, Number.POSITIVE_INFINITY), { keepLines: true });
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      done(null, spellOut(decoder.write(chunk).replaceAll('\r\n', '\n')));
    },
    flush(done: TransformCallback) {
      done(null, spellOut(decoder.end()));
    },
  });
}
