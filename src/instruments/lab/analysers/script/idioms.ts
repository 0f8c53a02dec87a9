import type { Idiom } from './idiom.ts';
import { cradles } from './idioms-download.ts';
import { evasions } from './idioms-evasion.ts';
import { systems } from './idioms-system.ts';

export const idioms: readonly Idiom[] = [...cradles, ...evasions, ...systems];
