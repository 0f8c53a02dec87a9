import { type Readable, Transform } from 'node:stream';
import type { Credential } from '../contract.ts';

/**
 * Hides a credential in what a program says. It never saw it in a request, but a target may send back what it got, and
 * what a program prints of that goes to files, reports and models. As many stars as there were bytes: offsets stay.
 */

/** Shorter ones would turn words of reports into holes. */
const shortestSecret = 6;
const star = '*'.charCodeAt(0);

function formsOf({ value }: Credential): readonly Buffer[] {
  const plain = [value, value.replace(/^\S+ +/, '')];
  const written = plain.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)]);
  const kept = [...new Set(written)].filter(({ length }) => length >= shortestSecret);
  return kept.toSorted((left, right) => right.length - left.length).map((text) => Buffer.from(text));
}

export class Veil {
  readonly #secrets: readonly Buffer[];

  constructor(credential: Credential | null) {
    this.#secrets = credential === null ? [] : formsOf(credential);
  }

  /** In place. */
  hide(bytes: Buffer): Buffer {
    for (const secret of this.#secrets) {
      for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at + secret.length)) {
        bytes.fill(star, at, at + secret.length);
      }
    }
    return bytes;
  }

  /** The same of a stream, whatever pieces it comes in. */
  over(stream: Readable): Readable {
    const longest = this.#secrets[0]?.length ?? 0;
    if (longest === 0) return stream;
    let held: Buffer = Buffer.alloc(0);
    const veiled = new Transform({
      transform: (chunk: Buffer, _, done) => {
        const bytes = this.hide(Buffer.concat([held, chunk]));
        // What could be the beginning of one waits for the rest.
        const sure = Math.max(0, bytes.length - longest + 1);
        held = bytes.subarray(sure);
        done(null, bytes.subarray(0, sure));
      },
      flush: (done) => done(null, held),
    });
    stream.once('error', (error) => veiled.destroy(error));
    stream.once('close', () => {
      if (!stream.readableEnded) veiled.end();
    });
    return stream.pipe(veiled);
  }
}
