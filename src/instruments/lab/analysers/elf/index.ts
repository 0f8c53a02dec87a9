import type { Analyser } from '../../contract.ts';
import { elfAnalyser } from './elf.ts';

export const elfAnalysers: readonly Analyser[] = [elfAnalyser];
