import type { Direction, MessageRule, RuleContext, RuleHit } from '../contract.ts';
import type { HitOutcome } from './contract.ts';
import { hitOf } from './faults.ts';
import type { RelayedMessage } from './relayed-message.ts';

/** Leads a message past the rules. Each sees what the one before has left of it. */

export interface JudgedHit {
  readonly hit: RuleHit;
  readonly outcome: HitOutcome;
}

export interface Judgement {
  readonly message: RelayedMessage;
  readonly isChanged: boolean;
  /** Why it does not go on; null when it does. */
  readonly refusal: RuleHit | null;
  readonly hits: readonly JudgedHit[];
}

const mostHits = 32;
const mostMethods = 256;

export class Judge {
  readonly #rules: readonly MessageRule[];
  readonly #context: RuleContext;
  /** Which rules a method concerns, so that no list is searched for every message. */
  readonly #byMethod: Readonly<Record<Direction, Map<string, readonly MessageRule[]>>> = {
    'to-server': new Map(),
    'to-client': new Map(),
  };

  constructor(rules: readonly MessageRule[], context: RuleContext) {
    this.#rules = rules;
    this.#context = context;
  }

  /** `doubts` are hits that the stream has found. */
  judge(given: RelayedMessage, doubts: readonly RuleHit[]): Judgement {
    const isEnforcing = this.#context.mode === 'enforce';
    const hits: JudgedHit[] = [];
    const tell = (hit: RuleHit, outcome: HitOutcome): void => {
      if (hits.length < mostHits) hits.push({ hit, outcome: isEnforcing ? outcome : 'noted' });
    };
    for (const doubt of doubts) tell(doubt, 'refused');
    const [firstDoubt] = doubts;
    if (isEnforcing && firstDoubt !== undefined) return { message: given, isChanged: false, refusal: firstDoubt, hits };
    let message = given;
    let refusal: RuleHit | null = null;
    for (const rule of this.#rulesFor(message)) {
      const decision = this.#ask(rule, message);
      if (decision.is === 'pass') for (const hit of decision.noted ?? []) tell(hit, 'noted');
      else if (decision.is === 'change') {
        for (const hit of decision.hits) tell(hit, 'changed');
        if (isEnforcing) message = message.with(decision.value);
      } else {
        tell(decision.hit, 'refused');
        if (isEnforcing) {
          refusal = decision.hit;
          break;
        }
      }
    }
    return { message, isChanged: message !== given, refusal, hits };
  }

  #ask(rule: MessageRule, message: RelayedMessage): ReturnType<MessageRule['judge']> {
    try {
      return rule.judge(message, this.#context);
    } catch {
      return { is: 'refuse', hit: hitOf('guard/failed', { failed: rule.id }) };
    }
  }

  #rulesFor({ direction, method }: RelayedMessage): readonly MessageRule[] {
    const known = this.#byMethod[direction];
    const key = method ?? '';
    const found = known.get(key);
    if (found !== undefined) return found;
    const rules = this.#rules.filter(
      ({ directions, methods }) =>
        directions.includes(direction) && (methods.includes('*') || (method !== null && methods.includes(method))),
    );
    if (known.size < mostMethods) known.set(key, rules);
    return rules;
  }
}
