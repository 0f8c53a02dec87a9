import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { makeEntropyMeter } from '../native/entropy.ts';
import { makeGathering, resultOf } from '../native/gathering.ts';
import { describeToolchain } from '../native/toolchain.ts';
import { attempt } from '../reader.ts';
import { describeAnomalies, describeOverlay, describePacker } from './anomalies.ts';
import { describeHeader, describeSections, describeSegments } from './describe.ts';
import { readDynamic } from './dynamic.ts';
import { describeHardening } from './hardening.ts';
import { readElf } from './image.ts';
import { describeLinking } from './linking.ts';
import { describeNotes } from './notes.ts';
import { readDynamicSymbols, readStaticSymbols } from './symbols.ts';

function analyse(input: AnalyserInput): AnalyserResult {
  const gathering = makeGathering(input);
  const image = attempt(() => readElf(input.bytes));
  if (image === undefined) {
    gathering.notes.push('headers: the file ends before the ELF header does, or it is not there');
    return resultOf(gathering);
  }
  const { part, notes } = gathering;
  const measure = makeEntropyMeter(input.bytes.length, input.tick);
  if (image.segments.length < image.declaredSegments)
    notes.push(`${image.declaredSegments} segments are declared, ${image.segments.length} were read`);
  if (image.sections.length < image.declaredSections)
    notes.push(`${image.declaredSections} sections are declared, ${image.sections.length} were read`);
  part('header', () => describeHeader(image, gathering));
  part('segments', () => describeSegments(image, measure, gathering));
  part('sections', () => describeSections(image, measure, gathering));
  part('dynamic linking', () => {
    const dynamic = readDynamic(image);
    const linking = {
      dynamic,
      dynamicSymbols: readDynamicSymbols(image, dynamic, input.tick),
      staticSymbols: readStaticSymbols(image, input.tick),
    };
    describeLinking(image, linking, gathering);
    describeHardening(image, linking, gathering);
  });
  part('notes', () => describeNotes(image, gathering));
  part('toolchain', () => describeToolchain(gathering, image.reader, image.offsetOf));
  part('packer', () => describePacker(image, gathering));
  part('overlay', () => describeOverlay(image, measure, gathering));
  part('anomalies', () => describeAnomalies(image, gathering));
  return resultOf(gathering);
}

export const elfAnalyser: Analyser = {
  id: 'elf',
  title: 'ELF executable: headers, linking, symbols, hardening',
  version: 1,
  kinds: ['elf'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse,
};
