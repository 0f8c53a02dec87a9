import type { Analyser, AnalyserInput, Facts } from '../../contract.ts';
import { type Draft, draftResult, excerpt } from '../draft.ts';
import { addCapabilities, androidCapabilities } from '../java/capabilities.ts';
import { type DexFile, readDex } from './dex-file.ts';

const listed = 100;

/** Adds what the code can do and its texts; gives its facts. */
export function addDex(draft: Draft, dex: DexFile, where: string): Facts {
  for (const note of dex.notes) draft.note(`${where}: ${note}`);
  addCapabilities(draft, androidCapabilities, dex.references, where);
  draft.text(`strings of ${where}`, dex.strings.join('\n'));
  return {
    version: dex.version,
    declared_size: dex.declaredSize,
    checksum_matches: dex.checksumMatches,
    strings: dex.totalStrings,
    classes: dex.totalClasses,
    class_names: dex.classes.slice(0, listed).map((name) => excerpt(name, 150)),
    method_references: dex.references.length,
  };
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const dex = readDex(input.bytes, tick);
  if (dex === undefined) {
    draft.note('not the header of Dalvik code');
    return;
  }
  for (const [key, value] of Object.entries(addDex(draft, dex, 'code'))) draft.fact(key, value);
}

export const dexAnalyser: Analyser = {
  id: 'dex',
  title: 'Dalvik code: classes and what they can do',
  version: 1,
  kinds: ['dex'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
