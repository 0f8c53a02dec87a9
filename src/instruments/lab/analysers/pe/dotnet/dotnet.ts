import type { Analyser, AnalyserInput, AnalyserResult } from '../../../contract.ts';
import { matchCapabilities } from '../../native/capability.ts';
import { makeGathering, resultOf } from '../../native/gathering.ts';
import { attempt } from '../../reader.ts';
import { windowsCapabilities, windowsSpelling } from '../capabilities.ts';
import { readImage } from '../image.ts';
import { managedCapabilities } from './capabilities.ts';
import {
  describeAssembly,
  describeManagedResources,
  describeNames,
  describePlatformCalls,
  readNames,
} from './describe.ts';
import { readMetadata } from './metadata.ts';
import { describeObfuscation } from './obfuscation.ts';
import { readUserStrings } from './user-strings.ts';

function analyse(input: AnalyserInput): AnalyserResult {
  const gathering = makeGathering(input);
  const { part, facts } = gathering;
  const data = attempt(() => readMetadata(readImage(input.bytes)));
  if (data === undefined) {
    gathering.notes.push('metadata: there is none, or it cannot be read');
    return resultOf(gathering);
  }
  part('assembly', () => describeAssembly(data, gathering));
  part('names', () => {
    const names = readNames(data, input.tick);
    describeNames(data, names, gathering);
    describeObfuscation(data, names, gathering);
    const used = [...names.references, ...names.members];
    gathering.findings.push(...matchCapabilities(used, managedCapabilities, (name) => [name], 'metadata references'));
  });
  part('platform calls', () => {
    const calls = describePlatformCalls(data, gathering);
    gathering.findings.push(...matchCapabilities(calls, windowsCapabilities, windowsSpelling, 'platform calls'));
  });
  part('user strings', () => {
    const strings = readUserStrings(data.userStrings, input.tick);
    facts.user_string_count = strings.length;
    gathering.text('.NET user strings', strings.join('\n'));
  });
  part('resources', () => describeManagedResources(data, gathering));
  return resultOf(gathering);
}

export const dotnetAnalyser: Analyser = {
  id: 'dotnet',
  title: '.NET assembly: metadata, references, user strings, resources',
  version: 1,
  kinds: ['dotnet'],
  depth: 'quick',
  timeoutMs: 20_000,
  analyse,
};
