import { z } from 'zod';
import { readRules } from '../../../base/rules-folder.ts';
import { type Judgement, judgementFields } from './of-others.ts';

/** What it means that a path answers: by its name when the answer is a document, by the status otherwise. */

const pathsSchema = z.array(
  z.strictObject({ ...judgementFields, segments: z.array(z.string()), endings: z.array(z.string()) }),
);

interface StatusRow extends Judgement {
  readonly from: number;
  readonly to: number;
}

const reachable: Judgement = {
  rule: 'ffuf/reachable-path',
  title: 'Path answers',
  severity: 'info',
  cwe: [],
  remediation: 'Take the path away where it is not meant to be there, or document it.',
};

const statuses: readonly StatusRow[] = [
  {
    ...reachable,
    from: 300,
    to: 399,
    rule: 'ffuf/redirecting-path',
    title: 'Path redirects',
  },
  {
    from: 401,
    to: 403,
    rule: 'ffuf/guarded-path',
    title: 'Path is there and guarded',
    severity: 'info',
    cwe: [],
    remediation: 'Answer as if the path did not exist where its existence is nobody’s business.',
  },
  {
    from: 500,
    to: 599,
    rule: 'ffuf/failing-path',
    title: 'Path fails with an error of the server',
    severity: 'low',
    cwe: ['CWE-703'],
    remediation: 'Find out why a plain request makes the server fail, and answer with an error of the client instead.',
  },
];

function segmentsOf(url: string): readonly string[] {
  const path = url.replace(/^https?:\/\/[^/]{0,300}/i, '').split(/[?#]/, 1)[0] ?? '';
  return path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '');
}

export type JudgePath = (url: string, status: number | undefined) => Judgement;

export function readPathJudge(): JudgePath {
  const table = readRules('probe/paths.json', pathsSchema);
  return (url, status) => {
    const code = status ?? 200;
    const byStatus = statuses.find(({ from, to }) => code >= from && code <= to);
    if (byStatus !== undefined) return byStatus;
    if (code < 200 || code > 299) return reachable;
    const segments = segmentsOf(url);
    const last = segments.at(-1) ?? '';
    const fits = (row: (typeof table)[number]) =>
      row.segments.some((segment) => segments.includes(segment)) || row.endings.some((ending) => last.endsWith(ending));
    return table.find(fits) ?? reachable;
  };
}
