import { z } from 'zod';
import { type Severity, severities } from '../../base/finding-schema.ts';
import { readRules } from '../../base/rules-folder.ts';

/** Frames of sentences that instruct a model, and the judgement whether one is given or only spoken about. */

export const phraseRules = ['conceal', 'override', 'steer', 'exfiltrate', 'execute'] as const;
export type PhraseRule = (typeof phraseRules)[number];

const fileSchema = z.strictObject({
  note: z.string(),
  words: z.record(z.string(), z.string()),
  frames: z.array(
    z.strictObject({
      id: z.string(),
      rule: z.enum(phraseRules),
      patterns: z.array(
        z.strictObject({
          match: z.string(),
          unless: z.string().exactOptional(),
          severity: z.enum(severities).exactOptional(),
        }),
      ),
    }),
  ),
  mention: z.strictObject({
    note: z.string(),
    verbs: z.string(),
    nouns: z.string(),
    security: z.string(),
    negation: z.string(),
    protects: z.string(),
  }),
});

interface Pattern {
  readonly frame: string;
  readonly rule: PhraseRule;
  readonly match: RegExp;
  readonly unless: RegExp | undefined;
  /** Where a frame says less than its rule. */
  readonly severity: Severity | undefined;
}

export interface Phrases {
  readonly patterns: readonly Pattern[];
  readonly mention: Readonly<Record<'verbs' | 'nouns' | 'security' | 'negation' | 'protects', RegExp>>;
}

/** `{USER}` is replaced by the words of that name, `{W6}` by up to six words. */
function expand(pattern: string, words: Readonly<Record<string, string>>): string {
  return pattern
    .replace(/\{W(\d)\}/g, '(?:\\S+ ){0,$1}')
    .replace(/\{([A-Z]+)\}/g, (whole, name: string) => words[name] ?? whole);
}

export function readPhrases(): Phrases {
  const { words, frames, mention } = readRules('metadata/phrases.json', fileSchema);
  const full = Object.fromEntries(Object.entries(words).map(([name, text]) => [name, expand(text, words)]));
  return {
    patterns: frames.flatMap(({ id, rule, patterns }) =>
      patterns.map(({ match, unless, severity }) => ({
        frame: id,
        rule,
        severity,
        match: new RegExp(expand(match, full), 'g'),
        unless: unless === undefined ? undefined : new RegExp(unless),
      })),
    ),
    mention: {
      verbs: new RegExp(mention.verbs),
      nouns: new RegExp(mention.nouns),
      security: new RegExp(mention.security),
      negation: new RegExp(mention.negation),
      protects: new RegExp(mention.protects),
    },
  };
}

export interface Hit {
  readonly rule: PhraseRule;
  readonly frame: string;
  readonly severity: Severity | undefined;
  readonly text: string;
}

const closeBehind = 60;

/** Between two quotes of the same kind on its line. */
function isQuoted(before: string, after: string): boolean {
  return ['"', '`', "'"].some((quote) => {
    const opening =
      quote === "'"
        ? (before.match(/(?:^|[\s(:,])'/g)?.length ?? 0) - (before.match(/'(?=[\s).,:]|$)/g)?.length ?? 0)
        : before.split(quote).length - 1;
    return (quote === "'" ? opening > 0 : opening % 2 === 1) && after.includes(quote);
  });
}

/** A new clause is a new speaker: what stands behind its comma is not governed by what stands before. */
const newClause = /[,–—-]\s*(?:and |then |but |so |also |you (?:must |should )?|please |always |now )*$/;

/** Somebody else's words: "mails that say …", and not "this message says …". */
const reportedSpeech =
  /\b(?:say|saying|says|ask|asking|asks|tell|telling|tells|claim|claiming|claims|instruct|instructing|instructs|try|trying|tries|attempt|attempting|attempts)\b:?(?: \S+){0,6} ?$/;
const ownWords = /\b(?:this|these|the following|my|our|we)\b/;

function isMention(phrases: Phrases, before: string, after: string): boolean {
  const { verbs, nouns, security } = phrases.mention;
  const line = `${before} ${after}`;
  if (isQuoted(before, after) && security.test(line)) return true;
  if (newClause.test(before)) return false;
  if (verbs.test(before) && nouns.test(before)) return true;
  if (reportedSpeech.test(before) && nouns.test(before) && !ownWords.test(before)) return true;
  return /\b(?:such as|e\.g\.|for example|like)\b/.test(before) && security.test(before);
}

/** Forms that a prohibition turns into a protection: "never … without telling the user". */
const turnable = /^(?:without|hid|conceal|withh|keep|leave|omit|pretend|act as|silently|secretly|quietly)/;

function isForbidden(phrases: Phrases, rule: PhraseRule, text: string, before: string): boolean {
  const clause = before.slice(Math.max(before.lastIndexOf(','), before.lastIndexOf(':')) + 1);
  if (turnable.test(text)) return phrases.mention.protects.test(clause);
  return rule !== 'conceal' && phrases.mention.negation.test(clause);
}

const mostHits = 50;

/** `sentences` is the form that sentencesOf gives. */
export function findPhrases(sentences: string, phrases: Phrases): readonly Hit[] {
  const hits: Hit[] = [];
  for (const { rule, frame, severity, match, unless } of phrases.patterns) {
    for (const found of sentences.matchAll(match)) {
      if (hits.length >= mostHits) return hits;
      const [text] = found;
      const start = sentences.lastIndexOf('\n', found.index) + 1;
      const end = sentences.indexOf('\n', found.index + text.length);
      const before = sentences.slice(start, found.index);
      const after = sentences.slice(found.index + text.length, end < 0 ? undefined : end);
      if (unless?.test(text + after.slice(0, closeBehind))) continue;
      if (isMention(phrases, before, after) || isForbidden(phrases, rule, text, before)) continue;
      hits.push({ rule, frame, severity, text: (before + text + after).slice(-400) });
      break;
    }
  }
  return hits;
}
