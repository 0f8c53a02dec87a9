import { kibibyte } from '../../../base/limits.ts';
import type { AnalyserRun, SampleText } from '../contract.ts';
import type { InnerFile } from '../report/schema.ts';
import type { Inner } from './inner-files.ts';
import type { Looked } from './look.ts';
import type { SourcedFinding } from './report-findings.ts';

/** What all who looked at a sample say, as one list of claims and one of texts. */

/** Of the output of a tool without a parser, for indicators. */
const searchedBytes = 512 * kibibyte;

function insideOf({ way, name }: Inner): string {
  return [...way, name].join(' > ');
}

export function sourcedFindings({ runs, inner, tools, detonated }: Looked): readonly SourcedFinding[] {
  const own = runs.flatMap(({ analyser, result }) =>
    result.findings.map((finding) => ({ finding, source: analyser, inside: null })),
  );
  const within = inner.flatMap((file) =>
    file.runs.flatMap(({ analyser, result }) =>
      result.findings.map((finding) => ({ finding, source: analyser, inside: insideOf(file) })),
    ),
  );
  const external = tools.flatMap(({ run, result }) =>
    result.findings.map((finding) => ({ finding, source: run.id, inside: null })),
  );
  const acts = (detonated?.findings ?? []).map((finding) => ({ finding, source: 'detonation', inside: null }));
  return [...acts, ...own, ...external, ...within];
}

export function textsOf({ runs, inner, tools, detonated }: Looked): readonly SampleText[] {
  const label = (source: string, { label: own, text }: SampleText): SampleText => ({
    label: `${source}: ${own}`,
    text,
  });
  return [
    ...(detonated === null ? [] : [{ label: 'detonation', text: detonated.contacted }]),
    ...runs.flatMap(({ analyser, result }) => result.texts.map((text) => label(analyser, text))),
    ...inner.flatMap((file) =>
      file.runs.flatMap(({ result }) => result.texts.map((text) => label(insideOf(file), text))),
    ),
    // A parser knows which part of an output is the sample's and which is a banner.
    ...tools.flatMap(({ run, result, stdout, deskFile, deskFolder, isSearched }): readonly SampleText[] => {
      const raw = isSearched ? [{ label: 'output', text: stdout.subarray(0, searchedBytes).toString('utf8') }] : [];
      return [...result.texts, ...raw].map(({ label: own, text }) =>
        label(run.id, { label: own, text: text.replaceAll(deskFile, '').replaceAll(`${deskFolder}/`, '') }),
      );
    }),
  ];
}

/** What tools print of the sample itself is no indicator either. */
export function fuzzyHashes(runs: readonly AnalyserRun[]): readonly string[] {
  return runs.flatMap(({ result: { facts } }) =>
    [facts.ssdeep, facts.tlsh, facts.sha512, facts.imphash].filter((value) => typeof value === 'string'),
  );
}

export function innerRecord(file: Inner, savedTo: string | null): InnerFile {
  return {
    name: file.name,
    how: file.how,
    inside: file.way.length === 0 ? null : file.way.join(' > '),
    sha256: file.sha256,
    size_bytes: file.bytes.length,
    kind: { ...file.kind },
    saved_to: savedTo,
    finding_count: file.runs.reduce((sum, { result }) => sum + result.findings.length, 0),
  };
}
