import { randomBytes } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import type { AnalyzeWishes } from '../../../instruments/analyze/run/index.ts';
import type { AnalysisVariables } from '../../settings/index.ts';
import { readBudget } from './budget.ts';
import type { AnalyzeFlags } from './flags.ts';
import { readHeaders, readProps, readVariables } from './pairs.ts';

/** From flags, and from variables where a flag is silent, to what an analysis is to do. */

export interface ReadWishes {
  readonly wishes: Omit<AnalyzeWishes, 'model'>;
  readonly notes: readonly string[];
}

type Flags = Pick<AnalyzeFlags, 'budget' | 'patience' | 'env' | 'arg' | 'prop' | 'header' | 'network' | 'seed'>;

const longestSeed = 200;

function readSeed(text: string | undefined): string {
  if (text === undefined) return randomBytes(8).toString('hex');
  if (/^[\x21-\x7e]+$/.test(text) && text.length <= longestSeed) return text;
  throw new UsageError(
    `--seed ${JSON.stringify(text.slice(0, 200))}: expected up to ${longestSeed} letters and digits`,
  );
}

function readArgs(args: readonly string[]): readonly string[] {
  if (args.some((arg) => arg.includes('\0'))) throw new UsageError('--arg: an argument has no NUL');
  return args;
}

function notesOn(variables: AnalysisVariables): readonly string[] {
  return [
    ...variables.fromFile,
    ...(variables.isOutboundWanted === true
      ? [
          'ALLOW_OUTBOUND_NETWORK changes nothing: in an analysis there is no way out, and an internet that is not there answers',
        ]
      : []),
    ...(variables.isNetworkWatched === false
      ? ['ENABLE_NETWORK_MONITORING is off, so the box has no network at all: what it would have sent stays unknown']
      : []),
  ];
}

export function readWishes(
  flags: Flags,
  variables: AnalysisVariables,
  environment: Readonly<Record<string, string | undefined>>,
): ReadWishes {
  const { memoryBytes, cpuCores, honestCalls, trialsPerPosition } = variables;
  const wishes = {
    ...readBudget(flags.budget, flags.patience),
    environment: readVariables(flags.env, environment),
    args: readArgs(flags.arg),
    props: readProps(flags.prop),
    headers: readHeaders(flags.header),
    hasNetwork: flags.network && variables.isNetworkWatched !== false,
    seed: readSeed(flags.seed),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(cpuCores === undefined ? {} : { cpuCores }),
    ...(honestCalls === undefined ? {} : { honestCalls }),
    ...(trialsPerPosition === undefined ? {} : { trialsPerPosition }),
  };
  return { wishes, notes: notesOn(variables) };
}

const mostJobs = 64;

export function readJobs(text: string | undefined): number {
  if (text === undefined) return 1;
  const jobs = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (jobs >= 1 && jobs <= mostJobs) return jobs;
  throw new UsageError(`--jobs ${JSON.stringify(text.slice(0, 200))}: expected a whole number from 1 to ${mostJobs}`);
}
