import type { Analyser, LabFinding } from '../../contract.ts';
import { type CodeSign, findCodeSigns, scoreSigns, shellcodePoints } from '../../recognise/machine-code.ts';

const searchedBytes = 1024 * 1024;

function findingOf(signs: readonly CodeSign[]): readonly LabFinding[] {
  if (scoreSigns(signs) < shellcodePoints) return [];
  return [
    {
      rule: 'general.code.without-container',
      title: 'The bytes hold sequences of machine code that runs without a loader',
      severity: 'medium',
      evidenceType: 'structural',
      evidence: signs.slice(0, 10).map(({ offset, words, architecture }) => ({
        where: `offset 0x${offset.toString(16)}`,
        text: `${words} (${architecture})`,
      })),
      benign: 'Boot code, firmware and cut-outs of programs hold such sequences, too.',
      attack: ['T1620', 'T1106'],
      mbc: ['B0032'],
    },
  ];
}

export const shellcode: Analyser = {
  id: 'shellcode',
  title: 'Machine code without a container',
  version: 1,
  kinds: ['shellcode', 'data'],
  depth: 'quick',
  timeoutMs: 10_000,
  analyse({ bytes, tick }) {
    tick();
    const signs = findCodeSigns(bytes, searchedBytes);
    const facts = {
      points: scoreSigns(signs),
      architectures: [...new Set(signs.map(({ architecture }) => architecture))],
      signs: signs.map(({ id, architecture, words, offset }) => ({ id, architecture, words, offset })),
    };
    const notes = bytes.length > searchedBytes ? [`only the first ${searchedBytes} bytes were searched`] : [];
    return { facts, findings: findingOf(signs), texts: [], children: [], notes };
  },
};
