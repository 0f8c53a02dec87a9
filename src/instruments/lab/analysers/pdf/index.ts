import type { Analyser } from '../../contract.ts';
import { pdf } from './pdf.ts';

export const pdfAnalysers: readonly Analyser[] = [pdf];
