import { UsageError } from '../../../base/errors.ts';
import { defaultModelLimits, type ModelOptions } from '../../../instruments/analyze/interrogate/model/index.ts';
import type { AnalysisVariables } from '../../settings/index.ts';

/** Which model proposes arguments, if any. Without one everything else works. */

export interface ModelFlags {
  readonly llm?: string | undefined;
  readonly llmModel?: string | undefined;
  readonly llmMostCalls?: string | undefined;
  readonly llmMostTokens?: string | undefined;
  readonly anthropicKey?: string | undefined;
}

export interface ReadModelWish {
  readonly wish: ModelOptions | null;
  readonly notes: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;
type Variables = Pick<AnalysisVariables, 'isModelWanted' | 'anthropicKey'>;

function readCount(text: string | undefined, flag: string, usual: number, most: number): number {
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new UsageError(`${flag} ${JSON.stringify(text.slice(0, 200))}: expected a whole number from 1 to ${most}`);
}

/** Null for Anthropic's own service, else the address of one that speaks like OpenAI's. */
function readService(text: string): string | null {
  if (text === 'anthropic') return null;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--llm ${JSON.stringify(text.slice(0, 200))}: expected anthropic, or the URL of a service`, {
    hint: 'a URL is the base address of a service that speaks like OpenAI, such as http://localhost:11434/v1',
  });
}

/** Flags that mean nothing without a model. */
function refuseLoose({ llmModel, llmMostCalls, llmMostTokens }: ModelFlags): void {
  const given = { '--llm-model': llmModel, '--llm-most-calls': llmMostCalls, '--llm-most-tokens': llmMostTokens };
  const loose = Object.entries(given).find(([, value]) => value !== undefined);
  if (loose !== undefined) throw new UsageError(`${loose[0]} goes with --llm`);
}

function optionsFor(url: string | null, key: string, flags: ModelFlags, environment: Environment): ModelOptions {
  const { llmModel, llmMostCalls, llmMostTokens } = flags;
  const { mostRequests, mostTokens } = defaultModelLimits;
  if (url !== null && llmModel === undefined) throw new UsageError('--llm URL: name a model of it with --llm-model');
  return {
    ...(url === null ? { service: 'anthropic' } : { service: 'openai-compatible', url }),
    ...(key === '' ? {} : { key }),
    ...(llmModel === undefined ? {} : { model: llmModel }),
    limits: {
      mostRequests: readCount(llmMostCalls, '--llm-most-calls', mostRequests, 10_000),
      mostTokens: readCount(llmMostTokens, '--llm-most-tokens', mostTokens, 100_000_000),
    },
    environment,
  };
}

const keyNote = 'a key on a command line can be seen by others on this machine: set ANTHROPIC_API_KEY instead';
const noKeyNote = 'ENABLE_LLM_FUZZING is set, but there is no ANTHROPIC_API_KEY: no model is asked';

/** A key alone wakes no model: what a target says of itself is sent nowhere unless somebody asked for it. */
export function readModelWish(flags: ModelFlags, variables: Variables, environment: Environment): ReadModelWish {
  const { llm, anthropicKey } = flags;
  const notes = anthropicKey === undefined ? [] : [keyNote];
  const service = llm ?? (anthropicKey !== undefined || variables.isModelWanted === true ? 'anthropic' : undefined);
  if (service === undefined) {
    refuseLoose(flags);
    return { wish: null, notes };
  }
  const url = readService(service);
  const key = (url === null ? (anthropicKey ?? variables.anthropicKey) : environment.OPENAI_API_KEY) ?? '';
  if (url === null && key === '') {
    if (llm !== undefined) throw new UsageError('--llm anthropic: there is no key', { hint: 'set ANTHROPIC_API_KEY' });
    return { wish: null, notes: [...notes, noKeyNote] };
  }
  return { wish: optionsFor(url, key, flags, environment), notes };
}
