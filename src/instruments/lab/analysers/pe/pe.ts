import type { Analyser, AnalyserInput, AnalyserResult } from '../../contract.ts';
import { matchCapabilities } from '../native/capability.ts';
import { makeEntropyMeter } from '../native/entropy.ts';
import { makeGathering, resultOf } from '../native/gathering.ts';
import { describeToolchain } from '../native/toolchain.ts';
import { attempt } from '../reader.ts';
import { describeAnomalies } from './anomalies.ts';
import { describeSignature } from './authenticode.ts';
import { windowsCapabilities, windowsSpelling } from './capabilities.ts';
import { describeChecksum } from './checksum.ts';
import { describeExports } from './exports.ts';
import { describeHeaders } from './headers.ts';
import { readImage } from './image.ts';
import { describeImports, type PeImport, readDelayImports, readImports } from './imports.ts';
import { describeDebug, describeRelocations, describeTls } from './loader-tables.ts';
import { describeOverlay } from './overlay.ts';
import { describePacker, guessPacker } from './packers.ts';
import { describeResources, type PeResource, readResources } from './resources.ts';
import { describeRich } from './rich.ts';
import { describeSections, measureSections } from './sections.ts';
import { describeManifest, describeVersionInfo } from './version-info.ts';

function analyse(input: AnalyserInput): AnalyserResult {
  const gathering = makeGathering(input);
  const image = attempt(() => readImage(input.bytes));
  if (image === undefined) {
    gathering.notes.push('headers: the file ends before the PE headers do, or they are not there');
    return resultOf(gathering);
  }
  const { part } = gathering;
  const measure = makeEntropyMeter(input.bytes.length, input.tick);
  const sections = measureSections(image, measure);
  let imports: readonly PeImport[] = [];
  let delayed: readonly PeImport[] = [];
  let resources: readonly PeResource[] = [];
  part('headers', () => describeHeaders(image, gathering));
  part('sections', () => describeSections(image, sections, gathering));
  part('imports', () => {
    imports = readImports(image, input.tick);
  });
  part('delay imports', () => {
    delayed = readDelayImports(image, input.tick);
  });
  const names = describeImports(imports, delayed, gathering);
  gathering.findings.push(...matchCapabilities(names, windowsCapabilities, windowsSpelling));
  part('exports', () => describeExports(image, gathering));
  part('thread-local storage', () => describeTls(image, gathering));
  part('relocations', () => describeRelocations(image, gathering));
  part('debug directory', () => describeDebug(image, gathering));
  part('rich header', () => describeRich(image, gathering));
  part('resources', () => {
    resources = readResources(image, gathering);
  });
  part('resources', () => describeResources(resources, measure, gathering));
  part('version information', () => describeVersionInfo(resources, gathering));
  part('manifest', () => describeManifest(resources, gathering));
  part('overlay', () => describeOverlay(image, measure, gathering));
  part('signature', () => describeSignature(image, gathering));
  part('checksum', () => describeChecksum(image, gathering));
  part('packer', () => describePacker(guessPacker(image, sections, names.length), gathering));
  part('toolchain', () =>
    describeToolchain(gathering, image.reader, (address) => image.offsetOf(address - Number(image.imageBase))),
  );
  part('anomalies', () => describeAnomalies(image, sections, gathering));
  return resultOf(gathering);
}

export const peAnalyser: Analyser = {
  id: 'pe',
  title: 'Windows executable: headers, imports, resources, signature',
  version: 1,
  kinds: ['pe', 'dotnet'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse,
};
