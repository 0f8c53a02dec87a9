import type { Analyser } from '../../contract.ts';
import { script } from './script.ts';

export { addIdioms, addScript, type ScriptSource } from './add-script.ts';
export type { ScriptLanguage } from './languages.ts';
export { type Layer, type Peeled, peelScript } from './peel.ts';

export const scriptAnalysers: readonly Analyser[] = [script];
