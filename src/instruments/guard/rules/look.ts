import { isAscii } from 'node:buffer';
import { readFormats } from '../../../targets/secrets/formats.ts';
import { readPhrases } from '../../../targets/wording/phrases.ts';
import type { Message } from '../contract.ts';
import { LiteralFinder } from './screen/literal-finder.ts';
import { PhraseScreen } from './screen/phrase-screen.ts';
import { SecretScreen } from './screen/secret-screen.ts';
import { type Text, textsOf } from './texts.ts';

/** What several rules want to know about one message, found out once. */

export interface RuleTables {
  readonly phrases: PhraseScreen;
  readonly secrets: SecretScreen;
  /** Of both: where none of their words stands, there is nothing for either. */
  readonly words: LiteralFinder;
}

/** Takes some tens of milliseconds; any number of sessions may share them. */
export function readRuleTables(): RuleTables {
  const phrases = new PhraseScreen(readPhrases());
  const secrets = new SecretScreen(readFormats());
  const words = [...new Set([...phrases.words, ...secrets.words])].filter((word) => /^[\0-\x7f]{3,}$/.test(word));
  return { phrases, secrets, words: new LiteralFinder(words, 4) };
}

/** Below it a message is simply read; above it bytes are looked at first. */
const largeBytes = 32_768;
const unusualEscapes = ['\\u', '\\b', '\\f', '\\/'] as const;

export class Look {
  readonly #message: Message;
  readonly #tables: RuleTables;
  #isPlain: boolean | null = null;
  #isQuiet: boolean | null = null;
  #texts: readonly Text[] | null = null;

  constructor(message: Message, tables: RuleTables) {
    this.#message = message;
    this.#tables = tables;
  }

  /** No character but those of ASCII that are seen, and nothing that is written as an escape to hide it. */
  get isPlain(): boolean {
    const { bytes } = this.#message;
    this.#isPlain ??=
      isAscii(bytes) && !unusualEscapes.some((unusual) => bytes.includes(unusual)) && !bytes.includes(0x7f);
    return this.#isPlain;
  }

  /** Large, plain, and without any word that a rule about texts looks for. */
  get isQuiet(): boolean {
    const { bytes } = this.#message;
    this.#isQuiet ??= bytes.length >= largeBytes && this.isPlain && !this.#tables.words.hasAny(bytes);
    return this.#isQuiet;
  }

  get texts(): readonly Text[] {
    this.#texts ??= textsOf(this.#message);
    return this.#texts;
  }
}

export interface Shared {
  readonly tables: RuleTables;
  readonly hashSecret: ((secret: string) => string) | null;
  look(message: Message): Look;
}

export function createShared(tables: RuleTables, hashSecret: ((secret: string) => string) | null): Shared {
  const looks = new WeakMap<Message, Look>();
  return {
    tables,
    hashSecret,
    look(message) {
      const known = looks.get(message);
      if (known !== undefined) return known;
      const look = new Look(message, tables);
      looks.set(message, look);
      return look;
    },
  };
}
