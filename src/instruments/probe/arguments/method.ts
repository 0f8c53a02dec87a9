import type { LoadedScope } from '../scope/scope.ts';
import { refuse, refuseOutside } from './refuse.ts';

export const knownMethods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'] as const;

export function readMethodArgument(scope: LoadedScope, text: string): string {
  const found = knownMethods.find((method) => method === text);
  if (found === undefined) {
    const isCase = knownMethods.some((method) => method === text.toUpperCase());
    const reason = isCase ? 'methods are written in capital letters' : 'it is no method that is known here';
    return refuse('method', text, reason, `Give one of ${knownMethods.join(', ')}.`);
  }
  if (scope.methods.length > 0 && !scope.methods.includes(found)) {
    refuseOutside('method', text, 'the scope does not list this method', `It has ${scope.methods.join(', ')}.`);
  }
  return found;
}
