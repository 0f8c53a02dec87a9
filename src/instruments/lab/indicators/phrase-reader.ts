import type { Reader } from './kind.ts';
import { claim, type Scan } from './scan.ts';
import type { IndicatorType } from './types.ts';

interface Phrase {
  readonly type: IndicatorType;
  /** Global; every quantifier bounded. The group `value` is what is looked for. */
  readonly pattern: RegExp;
  readonly confidence: number;
  /** Takes the stretch from the readers of smaller things. */
  readonly claims?: boolean;
  readonly isCaseless?: boolean;
  readonly noise?: (value: string, scan: Scan) => string | undefined;
  /** Says no to what only has the form. */
  readonly accepts?: (value: string) => boolean;
}

/** For what is known by the words before it. */
export function phraseReader(phrase: Phrase): Reader {
  return {
    trigger: 'text',
    read: (scan) => {
      for (const match of scan.text.matchAll(phrase.pattern)) {
        const value = (match.groups?.value ?? '').replace(/[\s.,;:)\]]{1,16}$/, '');
        if (value === '' || phrase.accepts?.(value) === false) continue;
        const from = match.index + match[0].indexOf(match.groups?.value ?? '', match.groups?.before?.length ?? 0);
        const to = from + value.length;
        if (scan.claimAt(from) !== claim.free) continue;
        const noise = phrase.noise?.(value, scan);
        scan.report({
          type: phrase.type,
          value,
          key: phrase.isCaseless ? value.toLowerCase() : value,
          from,
          to,
          confidence: noise === undefined ? phrase.confidence : 0.1,
          noise,
        });
        if (phrase.claims) scan.claim(from, to, claim.phrase);
      }
      return undefined;
    },
  };
}
