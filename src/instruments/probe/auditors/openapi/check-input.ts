import { isObject } from '../../../../base/json-shape.ts';
import { showExchange } from '../client/index.ts';
import type { AuditRequest } from '../contract.ts';
import { findTrace } from '../inquiry/traces.ts';
import type { Api, Visited } from './api.ts';
import { keyOf } from './build-request.ts';
import { openapiLimits } from './limits.ts';
import { sampleOf } from './sample-value.ts';
import { readSchema } from './schema.ts';
import { requestFor } from './visit.ts';
import { wrongValues } from './wrong-values.ts';

/** One wrong value at a time, in a request that fits otherwise. */

interface Trial {
  readonly request: AuditRequest;
  /** `query limit` */
  readonly what: string;
  readonly because: string;
}

function ofParameters(api: Api, { operation }: Visited): readonly Trial[] {
  return operation.parameters.flatMap((parameter): readonly Trial[] => {
    const key = keyOf(parameter);
    const wrong = wrongValues(readSchema(parameter.schema, api.description.references));
    const trials: Trial[] = wrong.slice(0, 2).map(({ value, because }) => ({
      request: requestFor(api, operation, { instead: new Map([[key, value]]) }),
      what: key,
      because,
    }));
    if (parameter.isRequired && parameter.place === 'query') {
      const request = requestFor(api, operation, { instead: new Map([[key, null]]) });
      trials.push({ request, what: key, because: 'left out, although it is required' });
    }
    return trials;
  });
}

function ofBody(api: Api, { operation }: Visited): readonly Trial[] {
  if (operation.body === null) return [];
  const { references } = api.description;
  const sample = sampleOf(operation.body.schema, references);
  if (!isObject(sample)) return [];
  const { properties } = readSchema(operation.body.schema, references);
  return [...properties].slice(0, openapiLimits.parameters).flatMap(([name, schema]) =>
    wrongValues(readSchema(schema, references))
      .slice(0, 1)
      .map(({ value, because }) => ({
        request: requestFor(api, operation, { body: { ...sample, [name]: value } }),
        what: `body ${name}`,
        because,
      })),
  );
}

async function tryOperation(api: Api, visit: Visited): Promise<void> {
  const { operation, answer: usual } = visit;
  const writes = operation.method !== 'GET' && operation.method !== 'HEAD';
  const trials = [...ofParameters(api, visit), ...(writes ? ofBody(api, visit) : [])];
  const settled = new Set<string>();
  let left: number = openapiLimits.wrongPerOperation;
  for (const { request, what, because } of trials) {
    if (left === 0) return;
    if (settled.has(what)) continue;
    left -= 1;
    const answer = await api.inquiry.ask(request);
    if (answer === null) continue;
    const isFailure = answer.status >= 500 && answer.status !== 501 && usual.status < 500;
    if (!isFailure && !api.baseline.isFound(answer)) continue;
    settled.add(what);
    const name = `${operation.method} ${operation.path}, ${what}`;
    const trace = isFailure ? findTrace(answer.body) : null;
    api.inquiry.claim({
      rule: isFailure ? 'unhandled-input' : 'input-not-enforced',
      at: request.url,
      title: `${isFailure ? 'Forbidden input makes the server fail' : 'Forbidden input is accepted'}: ${name}`,
      detail: `${name}: a value that is ${because} is answered with ${answer.status}${trace === null ? '' : `, with a ${trace.kind === 'stack' ? 'stack trace' : 'path of the server'} in it`}; a value that fits, with ${usual.status}.`,
      evidence: showExchange(request, answer, { headers: ['content-type'] }),
      repro: request,
    });
  }
}

export async function checkInput(api: Api, visited: readonly Visited[]): Promise<void> {
  for (const visit of visited) {
    if (api.inquiry.isOver) return;
    // Who is not let in learns nothing about what is checked behind the door.
    if (visit.answer.status === 401 || visit.answer.status === 403) continue;
    if (visit.answer.status === 405 || visit.answer.status === 501) continue;
    await tryOperation(api, visit);
  }
}
