import type { Analyser } from '../../contract.ts';
import { claims } from './claims.ts';
import { embedded } from './embedded.ts';
import { encodings } from './encodings.ts';
import { hidden } from './hidden.ts';
import { identity } from './identity.ts';
import { memory } from './memory.ts';
import { shellcode } from './shellcode.ts';
import { strings } from './strings.ts';
import { yara, yaraFolders } from './yara.ts';

export { compareSsdeep } from './compare-ssdeep.ts';
export { ssdeep } from './ssdeep.ts';
export { tlsh, tlshDistance } from './tlsh.ts';

/** What is asked of every file, whatever it is. */
export const generalAnalysers: readonly Analyser[] = [
  identity,
  claims,
  strings,
  encodings,
  hidden,
  embedded,
  shellcode,
  memory,
  yara,
  yaraFolders,
];
