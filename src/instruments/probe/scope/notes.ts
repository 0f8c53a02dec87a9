import { domainToUnicode } from 'node:url';
import { confusableScripts, looksLatin } from '../../../base/normalise.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import { type AddressRange, covers, overlaps } from './address-range.ts';
import type { Environment } from './credential.ts';
import type { ScopeDocument } from './schema.ts';
import { specials, specialsOf } from './special.ts';
import { objectToTime } from './time.ts';

/** What whoever wrote a scope may not have meant. None of it stops a scan. */

/** Kinds of special addresses that a range includes without naming them. */
function leftOut(range: AddressRange): readonly string[] {
  const inside = specials.filter((special) => overlaps(range, special) && !covers(special, range));
  const own = specialsOf(range).map(({ what }) => what);
  return [...new Set(inside.map(({ what }) => what))].filter((what) => !own.includes(what));
}

function noteOfRange(range: AddressRange): readonly string[] {
  const kinds = leftOut(range);
  return kinds.length === 0
    ? []
    : [
        `${range.text} does not open the special addresses inside of it (${kinds.join(', ')}): name those by themselves`,
      ];
}

function noteOfName(name: string): readonly string[] {
  if (!name.includes('xn--')) return [];
  const shown = domainToUnicode(name);
  const isConfusing = shown.split('.').some((label) => looksLatin(label) || confusableScripts(label).length > 0);
  return isConfusing
    ? [`${name} is shown as ${forTerminal(untrusted(shown, 300))}, which looks like another name`]
    : [];
}

export function notesOf(
  document: ScopeDocument,
  ranges: readonly AddressRange[],
  names: readonly string[],
  environment: Environment,
  now: number,
): readonly string[] {
  const time = objectToTime({ document }, now);
  const unset = (document.credentials ?? []).filter(({ variable }) => !Object.hasOwn(environment, variable));
  return [
    ...ranges.flatMap(noteOfRange),
    ...names.flatMap(noteOfName),
    ...unset.map(({ name, variable }) => `the credential ${name} has no value: the variable ${variable} is not set`),
    ...(time === null ? [] : [`no scan can start now: ${time}`]),
  ];
}
