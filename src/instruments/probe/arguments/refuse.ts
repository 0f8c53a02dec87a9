import { UsageError } from '../../../base/errors.ts';
import { quote } from '../../../engine/policy/read/problem.ts';

/** Refusals of arguments. What was given is shown short and harmless: it goes to terminals and to models. */

export type ArgumentKind = 'target' | 'ports' | 'url' | 'method';

export function refuse(kind: ArgumentKind, text: string, reason: string, hint: string): never {
  throw new UsageError(`${kind} ${quote(text)} is refused: ${reason}`, { hint, code: 'ARGUMENT_REFUSED' });
}

/** Beyond the scope, which is another thing than badly written. */
export function refuseOutside(kind: ArgumentKind, text: string, reason: string, hint: string): never {
  throw new UsageError(`${kind} ${quote(text)} is refused: ${reason}`, { hint, code: 'OUT_OF_SCOPE' });
}

const mostListed = 8;

export function listShortly(items: readonly string[]): string {
  const rest = items.length - mostListed;
  return `${items.slice(0, mostListed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
