import { isAscii } from 'node:buffer';
import { readFormats } from '../../../targets/secrets/formats.ts';
import type { Message } from '../contract.ts';
import { Characters } from './characters.ts';
import { LazyPhrases, type PhraseFinder } from './screen/lazy-phrases.ts';
import { SecretScreen } from './screen/secret-screen.ts';
import { type Text, textsOf } from './texts.ts';

/** What several rules want to know about one message, found out once. */

export interface RuleTables {
  readonly phrases: PhraseFinder;
  readonly secrets: SecretScreen;
  readonly characters: Characters;
  /** Makes, while nothing else is to be done, what the first answer will need. */
  warm(): void;
}

/** Each is made when it is first needed, which takes some tens of milliseconds. */
class LazyTables implements RuleTables {
  readonly characters = new Characters();
  readonly phrases = new LazyPhrases();
  #secrets: SecretScreen | null = null;

  get secrets(): SecretScreen {
    this.#secrets ??= new SecretScreen(readFormats());
    return this.#secrets;
  }

  warm(): void {
    this.phrases.warm();
  }
}

/** Any number of sessions may share them. */
export function readRuleTables(): RuleTables {
  return new LazyTables();
}

const unusualEscapes = ['\\u', '\\b', '\\f', '\\/'] as const;

export class Look {
  readonly #message: Message;
  readonly #tables: RuleTables;
  #isPlain: boolean | null = null;
  #kinds: number | null = null;
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

  /** Whether some text has such a character in it. */
  has(kind: number): boolean {
    this.#kinds ??= this.texts.reduce(
      (all, { text, kind: textKind }) => (textKind === 'binary' ? all : all | this.#tables.characters.kindsOf(text)),
      0,
    );
    return (this.#kinds & kind) !== 0;
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
