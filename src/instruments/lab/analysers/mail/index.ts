import type { Analyser } from '../../contract.ts';
import { mail } from './mail.ts';

export const mailAnalysers: readonly Analyser[] = [mail];
