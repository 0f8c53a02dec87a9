import type { LabReport } from '../report/schema.ts';

/** A report that fits where it goes. Findings, indicators and what is missing stay whole; long outputs are named by their file. */

/** Above this in all, outputs of tools are left out of an answer. */
export const summaryThreshold = 32_000;
const shownCharacters = 400;
const mostFactBytes = 4096;

export function outputSize({ tools }: Pick<LabReport, 'tools'>): number {
  return tools.reduce((sum, { output }) => sum + output.length, 0);
}

function shortFacts(facts: LabReport['analysers'][number]['facts']): LabReport['analysers'][number]['facts'] {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => {
      const bytes = JSON.stringify(value).length;
      return [key, bytes <= mostFactBytes ? value : `left out here: ${bytes} bytes of JSON, in the whole report`];
    }),
  );
}

/** `savedTo`: where the whole report lies. */
export function shortenReport(report: LabReport): LabReport {
  const size = outputSize(report) + JSON.stringify(report.analysers).length;
  if (size <= summaryThreshold) return { ...report, mode: 'full' };
  return {
    ...report,
    mode: 'summary',
    ...(report.texts === undefined
      ? {}
      : { texts: report.texts.map((each) => ({ ...each, text: each.text.slice(0, shownCharacters) })) }),
    analysers: report.analysers.map((analyser) => ({ ...analyser, facts: shortFacts(analyser.facts) })),
    tools: report.tools.map((tool) => ({
      ...tool,
      output: tool.output.length <= shownCharacters ? tool.output : `${tool.output.slice(0, shownCharacters)}…`,
      facts: shortFacts(tool.facts),
    })),
  };
}
