import type { Severity } from '../../base/finding-schema.ts';
import { severities } from '../../base/finding-schema.ts';
import type { Field } from './field.ts';
import { longestText } from './field.ts';
import { findPhrases, type PhraseRule, type Phrases } from './phrases.ts';
import { formsOf, sentencesOf, wordsOfName } from './text-forms.ts';

/** Looks for instructions in every field of an item, in every form, and over fields that read on into one another. */

export interface Instruction {
  readonly rule: PhraseRule | 'encoded';
  readonly severity: Severity | undefined;
  readonly path: string;
  readonly text: string;
  /** `plain` or the way it was hidden. */
  readonly how: string;
}

/** What a reader can see for what it says; anything else is hidden, whatever it says. */
const visibleForms = new Set(['plain']);

function scan(text: string, path: string, phrases: Phrases): readonly Instruction[] {
  const found: Instruction[] = [];
  const seen = new Set<string>();
  for (const form of formsOf(text.slice(0, longestText))) {
    for (const hit of findPhrases(sentencesOf(form.text), phrases)) {
      const key = `${hit.rule} ${hit.frame}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const isVisible = visibleForms.has(form.how);
      found.push({
        rule: isVisible ? hit.rule : 'encoded',
        severity: isVisible ? hit.severity : undefined,
        path,
        text: hit.text,
        how: form.how,
      });
    }
  }
  return found;
}

const textOf = ({ isName, text }: Field): string => (isName ? wordsOfName(text) : text);

export function findInstructions(fields: readonly Field[], phrases: Phrases): readonly Instruction[] {
  const single = fields.flatMap((field) => scan(textOf(field), field.path, phrases));
  if (single.length > 0 || fields.length < 2) return single;
  // Names between two halves of a sentence would tear it apart.
  const prose = fields.filter(({ isName, path }) => !isName && !path.endsWith('[]'));
  return scan(
    prose.map(({ text }) => text).join(' '),
    prose
      .map(({ path }) => path)
      .slice(0, 4)
      .join(' + '),
    phrases,
  );
}

/** The highest of several, where a frame has lowered its own. */
export function highestSeverity(list: readonly (Severity | undefined)[], usual: Severity): Severity {
  return list
    .map((severity) => severity ?? usual)
    .reduce((left, right) => (severities.indexOf(right) > severities.indexOf(left) ? right : left), 'info');
}
