import { isObject } from '../../../base/json-shape.ts';
import type { StoreHandle } from '../../../engine/store/contract.ts';
import type { MessageRule, RuleHit } from '../contract.ts';
import { markResult, plantToken } from './plant.ts';

/** Tokens on their way in: as a line of results, and as the value of a variable. */

export interface PlantPlace {
  readonly store: StoreHandle;
  readonly server: string;
  /** Servers that are known to stand behind this one. */
  readonly downstream?: readonly string[];
}

const hit: RuleHit = {
  rule: 'canaries/planted',
  title: 'Canary planted',
  what: 'a canary was put into the results of this server, as was asked for',
  remedy: 'Without `--canary results` nothing is put there.',
};

/** A rule that puts the token of this server into every result of its tools. It belongs behind all the others. */
export function plantInResults({ store, server, downstream = [] }: PlantPlace): MessageRule {
  const { token } = plantToken({ store, plantedIn: { server, kind: 'results', name: '' }, downstream });
  return {
    id: hit.rule,
    title: hit.title,
    methods: ['tools/call'],
    directions: ['to-client'],
    judge({ kind, value }) {
      const marked = kind === 'response' && isObject(value.result) ? markResult(value.result, token) : null;
      return marked === null ? { is: 'pass' } : { is: 'change', value: { ...value, result: marked }, hits: [hit] };
    },
  };
}

/** The value for a variable that the server gets and has no use for. */
export function plantInEnvironment({ store, server, downstream = [] }: PlantPlace, name: string): string {
  return plantToken({ store, plantedIn: { server, kind: 'environment', name }, downstream }).token;
}
