import type { IndicatorKind } from '../kind.ts';
import { phraseReader } from '../phrase-reader.ts';

/** Folders of the same name as the space in which objects live. */
const folders =
  /^(?:temp|microsoft|packages|google|programs|history|application data|d3dscache|connecteddevicesplatform|settings|storage|state)\b/i;
const words =
  /^(?:is|was|the|to|and|name|named|called|object|objects|handle|exists|created|null|true|false|nullptr|none|void)$/i;

export const mutex: IndicatorKind = {
  type: 'mutex',
  title: 'mutex',
  misp: { type: 'mutex', category: 'Artifacts dropped' },
  stix: { path: 'mutex:name', observable: (value) => ({ type: 'mutex', name: value }) },
  readers: [
    phraseReader({
      type: 'mutex',
      pattern:
        /(?<before>(?<![\\\w%:.-])(?:\\{1,2}(?:sessions\\{1,2}\d{1,3}\\{1,2})?basenamedobjects\\{1,2})?)(?<value>(?:global|local)\\{1,2}[\w{}.$!#@+~ -]{3,128}?)(?=["'`,;)\]<>|\n\r\t\0]|\s{1,2}\S|$)/gi,
      confidence: 0.6,
      claims: true,
      accepts: (value) => !folders.test(value.replace(/^\w{5,6}\\{1,2}/, '')),
    }),
    phraseReader({
      type: 'mutex',
      pattern:
        /(?<before>(?:create|open)mutex(?:ex)?[aw]?\s{0,2}\([^"'\n]{0,48}["'])(?<value>[^"'\n]{2,128})(?=["'])/gi,
      confidence: 0.8,
      claims: true,
    }),
    phraseReader({
      type: 'mutex',
      pattern:
        /(?<before>\bmut(?:ex|ant)(?:es|s)?(?:[ _-]?name)?["']?\s{0,2}(?:[:=]|(?:named|called)\s)\s{0,3}["'`]?)(?<value>[^\s"'`,;<>|]{3,128})/gi,
      confidence: 0.7,
      claims: true,
      accepts: (value) => !words.test(value),
    }),
  ],
};
