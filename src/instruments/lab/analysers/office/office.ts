import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { examineCompound } from './binary/examine-compound.ts';
import { isCompound, startsWith } from './bytes.ts';
import { attempt, createCollector } from './collector.ts';
import { readCompoundFile } from './compound/read-compound-file.ts';
import { examineEncryption } from './encryption/examine-encryption.ts';
import { examineOoxml } from './ooxml/examine-ooxml.ts';

/** Rounds of hashing for all passwords together: the usual one and the first that was given, three, or as many as ten seconds allow. */
const rounds = { quick: 220_000, standard: 300_000, deep: 3_000_000 } as const;

function analyse(input: AnalyserInput): AnalyserResult {
  const { bytes, tick } = input;
  const collector = createCollector();
  let macros = { hasVba: false, hasXlm: false };
  let isEncrypted = false;
  if (isCompound(bytes)) {
    const file = readCompoundFile(bytes, tick);
    if (file === null) collector.note('the file ends before its header does');
    else {
      macros = examineCompound(collector, file, tick);
      attempt(collector, 'the encryption', () => {
        isEncrypted = examineEncryption(collector, file, {
          bytes,
          passwords: input.passwords,
          rounds: rounds[input.depth],
          tick,
        });
      });
      const overlay = bytes.length - file.usedBytes;
      if (overlay > file.sectorSize) {
        collector.fact('overlay_bytes', overlay);
        collector.child('overlay', bytes.subarray(file.usedBytes), 'bytes behind the end of the compound file');
      }
    }
  } else if (startsWith(bytes, [0x50, 0x4b])) {
    attempt(collector, 'the document', () => {
      macros = examineOoxml(collector, bytes, tick);
    });
  } else collector.note('neither a compound file nor a zip container');
  if (!isEncrypted) collector.fact('encrypted', false);
  collector.fact('has_vba_macros', macros.hasVba);
  collector.fact('has_xlm_macros', macros.hasXlm);
  return collector.result();
}

export const office: Analyser = {
  id: 'office',
  title: 'Office documents: properties, macros, objects, links, encryption',
  version: 1,
  kinds: ['ole2', 'ooxml', 'office-encrypted', 'msi'],
  depth: 'quick',
  timeoutMs: 30_000,
  analyse,
};
