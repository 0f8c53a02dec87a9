import { z } from 'zod';
import type { Finding } from '../../../base/finding-schema.ts';
import { asNumber, asString } from '../../../base/json-shape.ts';
import { minuteMs, secondMs } from '../../../base/limits.ts';
import { type Again, type Aim, defineScanner, type Pace, type ScanFinding } from '../contract.ts';
import { findAlike, statusesOf } from '../parsers/alike.ts';
import { parseFfuf } from '../parsers/ffuf.ts';
import { pathListAliases, readWordList } from '../word-lists/index.ts';
import { findingOfClaim, homeVariables, type Judgement, urlText } from './of-others.ts';
import { credentialField } from './own.ts';
import { readPathJudge } from './telling-paths.ts';

const answeredAlike: Judgement = {
  rule: 'ffuf/answered-alike',
  title: 'Many paths are answered alike',
  severity: 'info',
  cwe: [],
  remediation:
    'Answer 404 to a path that does not exist, so that what is there can be told from what is not; scan again with calibrate.',
};

/** One finding for all of them: an application that answers everything with its page has none of these files. */
function judgeAlike(alike: ReadonlySet<ScanFinding>, aim: Aim, again: Again): readonly Finding[] {
  if (alike.size === 0) return [];
  const url = aim.url ?? aim.label;
  return [
    findingOfClaim({
      judgement: answeredAlike,
      axis: 'exposure',
      evidenceClass: 'B',
      at: url,
      excerpt: `${alike.size} words, status ${statusesOf(alike)}`,
      repro: again({ url }),
    }),
  ].flat();
}

const marker = 'FUZZ';
const wordFile = 'words.txt';
const outputFile = 'ffuf.json';
const timeoutMs = 10 * minuteMs;
/** ffuf ends by itself before it is ended, so that it writes its file. */
const ownSeconds = (timeoutMs - 30 * secondMs) / secondMs;
const mostThreads = 40;

/** As many as keep the pace when an answer takes no longer than a fifth of a second. */
function threadsFor({ requestsPerSecond, connections }: Pace): number {
  return Math.max(1, Math.min(mostThreads, connections, Math.ceil(requestsPerSecond / 5)));
}

const matches = {
  default: ['-mc', '200-299,301,302,307,308,401,403,405,500'],
  'all-but-404': ['-mc', 'all', '-fc', '404'],
} as const;

const endings = [
  'json',
  'xml',
  'yml',
  'yaml',
  'txt',
  'log',
  'bak',
  'old',
  'orig',
  'zip',
  'gz',
  'sql',
  'env',
  'conf',
  'php',
  'html',
] as const;

export const ffufDiscover = defineScanner({
  name: 'ffuf_discover',
  command: 'ffuf',
  title: 'Path discovery',
  description:
    'Tries the words of a list in place of FUZZ in a URL and tells which of them answer. Redirects are not followed.',
  positional: 'url',
  input: z.strictObject({
    url: urlText.describe('http or https URL inside the scope, with FUZZ once, in its path or query'),
    word_list: z.enum(pathListAliases).default('common').describe('common and api come with Hotcell'),
    extensions: z.array(z.enum(endings)).max(6).optional().describe('every word is also tried with these endings'),
    match: z.enum(['default', 'all-but-404']).default('default').describe('which answers count'),
    calibrate: z
      .boolean()
      .default(false)
      .describe('first learn what the answer to a path that is not there looks like'),
    credential: credentialField,
  }),
  needs: { name: 'ffuf', package: 'Debian package ffuf' },
  screened: true,
  timeoutMs,
  examples: [
    { input: { url: 'http://127.0.0.1:8080/FUZZ' }, says: 'usual paths' },
    {
      input: { url: 'http://127.0.0.1:8080/v1/FUZZ', word_list: 'api', match: 'all-but-404', calibrate: true },
      says: 'resources of an API that answers 200 to everything',
    },
  ],
  aim({ url }, means) {
    means.method('GET');
    return means.url(url, { marker });
  },
  build({ word_list, extensions, match, calibrate }, means) {
    const { aim, pace } = means;
    const threads = threadsFor(pace);
    /** Each thread waits for itself. */
    const delay = Math.max(0.001, threads / pace.requestsPerSecond);
    const withEndings =
      extensions === undefined || extensions.length === 0
        ? []
        : ['-e', extensions.map((ending) => `.${ending}`).join(',')];
    return {
      argv: [
        'ffuf',
        '-u',
        aim.url ?? aim.label,
        '-w',
        wordFile,
        ...withEndings,
        ...matches[match],
        ...(calibrate ? ['-ac'] : []),
        '-t',
        String(threads),
        '-p',
        delay.toFixed(3),
        '-timeout',
        '10',
        '-maxtime',
        String(ownSeconds),
        '-se',
        '-s',
        '-of',
        'json',
        '-o',
        outputFile,
      ],
      files: [{ name: wordFile, content: readWordList(word_list) }],
      environment: homeVariables(means),
      outputFile,
    };
  },
  parse: parseFfuf,
  judge(findings, aim, again) {
    const judgePath = readPathJudge();
    const alike = findAlike(findings);
    const told = findings.filter((finding) => !alike.has(finding));
    return [
      ...judgeAlike(alike, aim, again),
      ...told.flatMap((finding) => {
        const url = asString(finding.url);
        if (url === undefined) return [];
        const status = asNumber(finding.status);
        const redirect = asString(finding.redirect);
        return findingOfClaim({
          judgement: judgePath(url, status),
          axis: 'exposure',
          evidenceClass: status === undefined ? 'C' : 'B',
          at: url,
          excerpt: `status ${status ?? 'unknown'}, ${asNumber(finding.length) ?? '?'} bytes${redirect === undefined ? '' : `, to ${redirect}`}`,
          repro: again({ url: aim.url ?? aim.label }),
        });
      }),
    ];
  },
});
