import type { Collector } from './collector.ts';
import { ddeKind, remoteTemplateKind } from './kinds-of-findings.ts';

/** Field instructions of Word: what a document fetches or starts through its fields. */

const linkedFieldKind = {
  rule: 'office.field.remote',
  title: 'A field of the document fetches content from another place',
  severity: 'medium',
  evidenceType: 'behaviour',
  benign: 'Pictures and chapters are linked from shares inside a firm.',
  attack: ['T1221', 'T1187'],
} as const;

const remoteTarget = /(?:https?|ftp|file|mhtml|ldap|ms-\w{1,20}):|\\\\\\\\|\\\\[\w.@-]/i;

/** Numbers that `QUOTE` turns into characters, by which instructions are hidden. */
export function unquote(instruction: string): string {
  return instruction.replace(/\bQUOTE((?:\s+\d{1,5})+)/gi, (_whole, numbers: string) =>
    numbers
      .trim()
      .split(/\s+/)
      .map((number) => String.fromCharCode(Number(number) & 0xffff))
      .join(''),
  );
}

export function examineFields(
  collector: Collector,
  instructions: readonly string[],
  where: string,
): { links: string[]; dde: string[] } {
  const links: string[] = [];
  const dde: string[] = [];
  for (const raw of instructions.slice(0, 5000)) {
    const instruction = unquote(raw).replace(/\s+/g, ' ').trim();
    const word = /^[\s"]*([A-Za-z]+)/.exec(instruction)?.[1]?.toUpperCase() ?? '';
    if (word === 'DDE' || word === 'DDEAUTO' || /\bDDE(?:AUTO)?\s+\S/i.test(instruction.slice(0, 2000))) {
      dde.push(instruction);
      collector.finding(ddeKind, { where, text: instruction });
      collector.text('DDE field', instruction.replaceAll('\\\\', '\\'));
    } else if (word === 'HYPERLINK') links.push(instruction.slice(9).trim());
    else if (
      ['INCLUDEPICTURE', 'INCLUDETEXT', 'IMPORT', 'INCLUDE', 'LINK', 'RD'].includes(word) &&
      remoteTarget.test(instruction)
    ) {
      collector.finding(linkedFieldKind, { where, text: instruction });
      collector.text('field', instruction.replaceAll('\\\\', '\\'));
    } else if (word === 'TEMPLATE' && remoteTarget.test(instruction)) {
      collector.finding(remoteTemplateKind, { where, text: instruction });
    }
  }
  return { links, dde };
}
