import type { Finding } from '../../../../base/finding-schema.ts';
import { inspectCharacters } from '../../../../targets/wording/hidden-characters.ts';
import { makeFinding } from '../../inspect/rule.ts';
import { evidenceAt, type ResultInspector } from './contract.ts';
import { withoutGiven } from './given-text.ts';
import { resultRules } from './rules.ts';

const mostCharacters = 65_536;

/** Any sequence of a terminal; and one that only colours, as programs do whose output is handed on. */
const sequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]{0,500}|\u001b[()#%][0-9A-Z]|\u001b[78=>cM]/g;
const colour = /^(?:\u001b\[|\u009b)(?!(?:[0-9;:]*;)?8(?:;|m))[0-9;:]*[mK]$/;

export function sequencesIn(text: string): {
  readonly all: readonly string[];
  readonly beyondColour: readonly string[];
} {
  const all = [...text.matchAll(sequence)].map(([found]) => found);
  return { all, beyondColour: all.filter((each) => !colour.test(each)) };
}

/** One that our own texts hold as well may have come from us in another form. */
const isOurs = (given: readonly string[], pattern: (text: string) => boolean): boolean => given.some(pattern);

export const inspectResultCharacters: ResultInspector = (call) => {
  const text = call.freshText.slice(0, mostCharacters);
  const hasSequences = sequencesIn(text).all.length > 0;
  if (!hasSequences && inspectCharacters(text).invisible === undefined) return [];
  const given = call.given();
  const left = withoutGiven(text, given);
  const findings: Finding[] = [];
  const { all, beyondColour } = sequencesIn(left);
  if (all.length > 0 && !isOurs(given, (each) => sequencesIn(each).all.length > 0)) {
    const isGrave = beyondColour.length > 0;
    const shown = (isGrave ? beyondColour : all).slice(0, 8).map((each) => JSON.stringify(each));
    findings.push(
      makeFinding(resultRules.escapes, {
        identity: [call.tool],
        title: `${call.tool}: ${isGrave ? 'control sequences for terminals' : 'colours for terminals'} in results`,
        ...(isGrave ? { evidenceClass: 'C' } : { severity: 'info' }),
        evidence: [evidenceAt(call, shown.join(' '))],
      }),
    );
  }
  // What moves a terminal is told above, and is no hidden letter.
  const { invisible } = inspectCharacters(
    left.replace(sequence, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''),
  );
  if (invisible !== undefined && !isOurs(given, (each) => inspectCharacters(each).invisible !== undefined))
    findings.push(
      makeFinding(resultRules.hidden, {
        ...{ identity: [call.tool], evidenceClass: 'C' },
        title: `${call.tool}: ${invisible}`,
        evidence: [evidenceAt(call, `${invisible}: ${left.slice(0, 300)}`)],
      }),
    );
  return findings;
};
