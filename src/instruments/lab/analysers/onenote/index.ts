import type { Analyser } from '../../contract.ts';
import { onenote } from './onenote.ts';

export const onenoteAnalysers: readonly Analyser[] = [onenote];
