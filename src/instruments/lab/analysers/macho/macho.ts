import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { makeEntropyMeter } from '../native/entropy.ts';
import { makeGathering, resultOf } from '../native/gathering.ts';
import { describeToolchain } from '../native/toolchain.ts';
import { attempt } from '../reader.ts';
import { describeCommands, describeHeader, describePacker, describeSegments } from './describe.ts';
import { readMach } from './image.ts';
import { describeSignature } from './signature.ts';
import { describeSymbols } from './symbols.ts';
import { describeUniversal } from './universal.ts';

function analyse(input: AnalyserInput): AnalyserResult {
  const gathering = makeGathering(input);
  if (attempt(() => describeUniversal(gathering)) === true) return resultOf(gathering);
  const image = attempt(() => readMach(input.bytes));
  if (image === undefined) {
    gathering.notes.push('headers: the file ends before the Mach-O header does, or it is not there');
    return resultOf(gathering);
  }
  const { part } = gathering;
  const measure = makeEntropyMeter(input.bytes.length, input.tick);
  part('header', () => describeHeader(image, gathering));
  part('segments', () => describeSegments(image, measure, gathering));
  part('load commands', () => describeCommands(image, gathering));
  part('symbols', () => describeSymbols(image, gathering));
  part('code signature', () => describeSignature(image, gathering));
  part('packer', () => describePacker(image, gathering));
  part('toolchain', () => describeToolchain(gathering, image.reader, image.offsetOf));
  return resultOf(gathering);
}

export const machoAnalyser: Analyser = {
  id: 'macho',
  title: 'Mach-O executable: load commands, linking, signature',
  version: 1,
  kinds: ['macho'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse,
};
