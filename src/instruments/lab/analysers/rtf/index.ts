import type { Analyser } from '../../contract.ts';
import { rtf } from './rtf.ts';

export const rtfAnalysers: readonly Analyser[] = [rtf];
