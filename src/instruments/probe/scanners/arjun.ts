import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { asString, asStrings } from '../../../base/json-shape.ts';
import { minuteMs } from '../../../base/limits.ts';
import { defineScanner } from '../contract.ts';
import { parseArjun } from '../parsers/arjun.ts';
import { readWordList } from '../word-lists/index.ts';
import { findingOfClaim, homeVariables, type Judgement, urlText } from './of-others.ts';
import { credentialField } from './own.ts';

const wordFile = 'parameters.txt';
const outputFile = 'arjun.json';

/** arjun begins with a GET whatever it is told to send later; JSON is a POST with another body. */
const methodsOf = { GET: ['GET'], POST: ['GET', 'POST'], JSON: ['GET', 'POST'] } as const;

/**
 * How many names go into one request. Version 2.2 gives up as if the target were unsteady whenever there are more parts to
 * look at than in the round before: names that go one by one, or in parts that halve evenly, do not get it there.
 */
const lists = {
  small: { argument: wordFile, namesAtOnce: '1' },
  large: { argument: 'large', namesAtOnce: '16' },
} as const;

const hidden: Judgement = {
  rule: 'arjun/hidden-parameters',
  title: 'Parameters that change the answer and may be undocumented',
  severity: 'low',
  cwe: ['CWE-912'],
  remediation:
    'Document each parameter, or take it away; check that none of them switches a protection off or reads more than its caller may.',
};

export const arjunParams = defineScanner({
  name: 'arjun_params',
  command: 'arjun',
  title: 'Hidden parameters',
  description:
    'Tries names of parameters on one URL and tells which of them change the answer. Redirects are not followed.',
  positional: 'url',
  input: z.strictObject({
    url: urlText.describe('http or https URL inside the scope, without a query'),
    method: z.enum(['GET', 'POST', 'JSON']).default('GET').describe('JSON is a POST with a JSON body'),
    word_list: z.enum(['small', 'large']).default('small').describe('small comes with Hotcell, large with arjun'),
    credential: credentialField,
  }),
  needs: { name: 'arjun', package: 'Debian package arjun' },
  screened: true,
  timeoutMs: 10 * minuteMs,
  examples: [
    { input: { url: 'http://127.0.0.1:8080/search' }, says: 'parameters of a search' },
    { input: { url: 'http://127.0.0.1:8080/users', method: 'JSON' }, says: 'fields of a JSON body' },
  ],
  aim({ url, method }, means) {
    for (const each of methodsOf[method]) means.method(each);
    const aim = means.url(url);
    if (aim.url?.includes('?')) {
      throw new UsageError('arjun leaves a query out of its requests: give the URL without one');
    }
    return aim;
  },
  build({ method, word_list }, means) {
    const { aim, pace } = means;
    const list = lists[word_list];
    return {
      argv: [
        'arjun',
        '-u',
        aim.url ?? aim.label,
        '-m',
        method,
        '-w',
        list.argument,
        '-c',
        list.namesAtOnce,
        '-t',
        String(Math.max(1, pace.connections)),
        '-d',
        Math.max(0.001, 1 / pace.requestsPerSecond).toFixed(3),
        '-T',
        '10',
        '--disable-redirects',
        '-oJ',
        outputFile,
      ],
      files: word_list === 'small' ? [{ name: wordFile, content: readWordList('parameters') }] : [],
      environment: {
        ...homeVariables(means),
        /** What it had printed is not lost when it is stopped. */
        PYTHONUNBUFFERED: '1',
        PYTHONIOENCODING: 'utf-8',
        PYTHONDONTWRITEBYTECODE: '1',
        /** It keeps its words in a set: the same order every time. */
        PYTHONHASHSEED: '0',
      },
      outputFile,
    };
  },
  parse: parseArjun,
  judge(findings, aim, again) {
    return findings.flatMap((finding) => {
      const url = asString(finding.url);
      const names = asStrings(finding.params);
      if (url === undefined || names.length === 0) return [];
      const method = asString(finding.method) ?? '';
      return findingOfClaim({
        judgement: hidden,
        axis: 'weakness',
        evidenceClass: 'B',
        at: url,
        identity: [method, ...names.toSorted()],
        excerpt: `${method} ${names.join(', ')}`.trim(),
        repro: again({ url: aim.url ?? aim.label }),
      });
    });
  },
});
