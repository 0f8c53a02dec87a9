import { planFile, writePlan } from '../../src/instruments/guard/rules/screen/kept-plan.ts';
import { readPhrases } from '../../src/targets/wording/phrases.ts';
import type { Page } from './page.ts';

/** Not for people: worked out ahead, so that no start of a server waits for it. */
export const planPage: Page = { path: `rules/${planFile}`, render: () => writePlan(readPhrases()) };
