import { UsageError } from '../../../../base/errors.ts';
import { type Knowledge, readKnowledge } from '../arguments/index.ts';
import { jsonText } from '../arguments/json-text.ts';
import { readTrialClasses } from '../trials/index.ts';
import { askService, withoutKey } from './ask-service.ts';
import type { Model } from './contract.ts';
import { defaultModelLimits, type ModelLimits } from './limits.ts';
import { createMeter } from './meter.ts';
import { hostileClassNames } from './placeholders.ts';
import { proposeInBatches } from './propose.ts';
import { type ModelService, modelServices } from './services/index.ts';

/** A model behind a service. The key stays in here: it is sent to that one host, and is in nothing that comes out. */

export interface ModelOptions {
  /** Id of one of `modelServices`. */
  readonly service: string;
  /** Where the service is; its own place by default, where it has one. */
  readonly url?: string;
  readonly key?: string;
  /** Name of the model, as the service knows it. */
  readonly model?: string;
  readonly limits?: Partial<ModelLimits>;
  /** Classes of trials to propose for; all of `rules/trials` that a placeholder can prove by default. */
  readonly hostileClasses?: readonly string[];
  readonly knowledge?: Knowledge;
  /** For the settings of a proxy; none by default. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

function serviceOf(id: string): ModelService {
  const service = modelServices.find((each) => each.id === id);
  if (service !== undefined) return service;
  const known = modelServices.map((each) => each.id).join(', ');
  throw new UsageError(`there is no service of models called ${JSON.stringify(id.slice(0, 60))}`, {
    hint: `one of ${known}`,
  });
}

/** Messages name no URL: credentials can stand in one. */
function urlOf({ url }: ModelOptions, service: ModelService): URL {
  const text = url ?? service.defaultUrl;
  if (text === null) throw new UsageError(`${service.id} needs the URL of the service`);
  if (!URL.canParse(text)) throw new UsageError(`the URL of the model's service is none`);
  const parsed = new URL(text);
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')
    throw new UsageError(`the URL of the model's service is neither http nor https`);
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new UsageError(`the URL of the model's service holds more than a host and a path`, {
      hint: 'give the key as the key',
    });
  return parsed;
}

function keyOf({ key = '' }: ModelOptions, service: ModelService): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]*$/.test(trimmed)) throw new UsageError('the key of the model holds characters that no key has');
  if (trimmed === '' && service.needsKey) throw new UsageError(`${service.id} needs a key`);
  return trimmed;
}

function nameOf({ model }: ModelOptions, service: ModelService): string {
  const name = model ?? service.defaultModel;
  if (name === null || name === '') throw new UsageError(`${service.id} needs the name of a model`);
  if (!/^[\x20-\x7e]{1,200}$/.test(name))
    throw new UsageError('the name of the model holds characters that no name has');
  return name;
}

export function readHostileClasses(): readonly string[] {
  return hostileClassNames(readTrialClasses().map((kind) => kind.class));
}

/** Throws a UsageError for options that cannot be meant; nothing else throws. */
export function createModel(options: ModelOptions): Model {
  const service = serviceOf(options.service);
  const limits = { ...defaultModelLimits, ...options.limits };
  const key = keyOf(options, service);
  const model = nameOf(options, service);
  const complete = askService({
    service,
    url: urlOf(options, service),
    model,
    key,
    limits,
    environment: options.environment ?? {},
  });
  const knowledge = options.knowledge ?? readKnowledge();
  const classes = hostileClassNames(options.hostileClasses ?? readHostileClasses());
  const meter = createMeter(limits);
  return {
    id: `${service.id}:${model}`,
    async propose(tools, signal) {
      const { proposals, problems } = await proposeInBatches(
        tools,
        { complete, meter, limits, knowledge, classes },
        signal,
      );
      const kept = proposals.filter((proposal) => {
        const text = jsonText(proposal);
        return text !== null && withoutKey(text, JSON.stringify(key).slice(1, -1)) === text;
      });
      const lost = proposals.length - kept.length;
      const told = problems.map((problem) => withoutKey(problem, key));
      return {
        proposals: kept,
        problems: lost === 0 ? told : [...told, `${lost} proposals held the key and were dropped`],
      };
    },
  };
}
