import { archiveAnalysers } from '../archives/index.ts';
import type { Analyser } from '../contract.ts';
import { androidAnalysers } from './android/index.ts';
import { elfAnalysers } from './elf/index.ts';
import { generalAnalysers } from './general/index.ts';
import { javaAnalysers } from './java/index.ts';
import { lnkAnalysers } from './lnk/index.ts';
import { machoAnalysers } from './macho/index.ts';
import { mailAnalysers } from './mail/index.ts';
import { officeAnalysers } from './office/index.ts';
import { onenoteAnalysers } from './onenote/index.ts';
import { pcapAnalysers } from './pcap/index.ts';
import { pdfAnalysers } from './pdf/index.ts';
import { peAnalysers } from './pe/index.ts';
import { rtfAnalysers } from './rtf/index.ts';
import { scriptAnalysers } from './script/index.ts';

/** Every analyser of our own, in the order in which results are shown. Loaded in the threads that run them only. */
export const analysers: readonly Analyser[] = [
  ...generalAnalysers,
  ...peAnalysers,
  ...elfAnalysers,
  ...machoAnalysers,
  ...officeAnalysers,
  ...rtfAnalysers,
  ...onenoteAnalysers,
  ...mailAnalysers,
  ...pdfAnalysers,
  ...lnkAnalysers,
  ...scriptAnalysers,
  ...javaAnalysers,
  ...androidAnalysers,
  ...pcapAnalysers,
  ...archiveAnalysers,
];
