import { findPhrases, type Phrases, readPhrases } from '../../../../targets/wording/phrases.ts';
import { sentencesOf } from '../../../../targets/wording/text-forms.ts';
import { type FoundPhrases, PhraseScreen } from './phrase-screen.ts';

/** What both ways of looking for phrases have in common. */
export interface PhraseFinder {
  find(text: string, isWideText?: boolean): FoundPhrases;
}

/** All expressions over one text of this length take less time than making the screen does. */
const shortText = 4096;
/** So much is looked at without a screen; then it pays to have one. */
const mostUnscreened = 64 * 1024;
/** A client that has just started its server is waiting; later nobody is. */
const warmAfterMs = 1500;

/** The screen takes some hundred milliseconds to be made, and the first words of a server are few and short. */
export class LazyPhrases implements PhraseFinder {
  #phrases: Phrases | null = null;
  #screen: PhraseScreen | null = null;
  #seen = 0;
  #isWarming = false;

  find(text: string, isWideText?: boolean): FoundPhrases {
    this.#seen += text.length;
    if (this.#screen !== null || text.length > shortText || this.#seen > mostUnscreened) {
      return this.#made().find(text, isWideText);
    }
    this.#phrases ??= readPhrases();
    return { hits: findPhrases(sentencesOf(text), this.#phrases), isCut: false };
  }

  /** Makes the screen when the server has long been started. */
  warm(): void {
    if (this.#screen !== null || this.#isWarming) return;
    this.#isWarming = true;
    setTimeout(() => this.#made(), warmAfterMs).unref();
  }

  #made(): PhraseScreen {
    this.#phrases ??= readPhrases();
    this.#screen ??= new PhraseScreen(this.#phrases);
    return this.#screen;
  }
}
