import { readPhrases } from '../../../../targets/wording/phrases.ts';
import { readPlan } from './kept-plan.ts';
import { type FoundPhrases, PhraseScreen } from './phrase-screen.ts';

/** What both ways of looking for phrases have in common. */
export interface PhraseFinder {
  find(text: string, isWideText?: boolean): FoundPhrases;
}

/** A client that has just started its server is waiting; later nobody is. */
const warmAfterMs = 300;

/** Made when it is first needed. */
export class LazyPhrases implements PhraseFinder {
  #screen: PhraseScreen | null = null;
  #isWarming = false;

  find(text: string, isWideText?: boolean): FoundPhrases {
    return this.#made().find(text, isWideText);
  }

  /** Makes the screen when the server has long been started. */
  warm(): void {
    if (this.#screen !== null || this.#isWarming) return;
    this.#isWarming = true;
    setTimeout(() => this.#made(), warmAfterMs).unref();
  }

  #made(): PhraseScreen {
    if (this.#screen === null) {
      const phrases = readPhrases();
      this.#screen = new PhraseScreen(phrases, readPlan(phrases));
    }
    return this.#screen;
  }
}
