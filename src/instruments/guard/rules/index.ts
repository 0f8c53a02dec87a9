import type { MessageRule } from '../contract.ts';
import { canariesLeaving } from './canaries-leaving.ts';
import { createShared, type RuleTables, readRuleTables, type Shared } from './look.ts';
import { pinChanged } from './pin-changed.ts';
import { secretsLeaving } from './secrets-leaving.ts';
import { sizeTooLarge } from './size-too-large.ts';
import { textInstructions } from './text-instructions.ts';
import { textInvisible } from './text-invisible.ts';
import { textTerminal } from './text-terminal.ts';
import { toolsArguments } from './tools-arguments.ts';
import { toolsDenied } from './tools-denied.ts';

export { type RuleTables, readRuleTables } from './look.ts';

export interface RuleOptions {
  /** Read once and shared by any number of sessions. */
  readonly tables?: RuleTables;
  /** How secrets are named in hits; without it they are not named at all. */
  readonly hashSecret?: (secret: string) => string;
}

/**
 * In the order they judge. Pins see what the server said; texts are cleaned before they are searched, so that nothing
 * hides between the letters of a secret.
 */
const messageRules: readonly ((shared: Shared) => MessageRule)[] = [
  sizeTooLarge,
  pinChanged,
  toolsDenied,
  toolsArguments,
  canariesLeaving,
  textTerminal,
  textInvisible,
  secretsLeaving,
  textInstructions,
];

/** The rules of one session: they remember differences to show, so each session has its own. */
export function createMessageRules({ tables, hashSecret }: RuleOptions = {}): readonly MessageRule[] {
  const shared = createShared(tables ?? readRuleTables(), hashSecret ?? null);
  return messageRules.map((make) => make(shared));
}
