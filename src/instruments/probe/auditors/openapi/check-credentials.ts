import { isObject } from '../../../../base/json-shape.ts';
import { madeUpSecret, showExchange } from '../client/index.ts';
import type { AuditAnswer } from '../contract.ts';
import { jsonOf } from '../inquiry/answer.ts';
import { type Api, type Visited, writingMethods } from './api.ts';

/** Whether operations ask for the credential that their document speaks of. */

/** Names and kinds, two levels deep. */
function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return `[${value.length > 0 && depth < 2 ? shapeOf(value[0], depth + 1) : ''}]`;
  if (!isObject(value)) return value === null ? 'null' : typeof value;
  if (depth >= 2) return '{}';
  const fields = Object.entries(value)
    .slice(0, 100)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${fields.map(([name, each]) => `${name.slice(0, 100)}:${shapeOf(each, depth + 1)}`).join(',')}}`;
}

function isSame(left: AuditAnswer, right: AuditAnswer): boolean {
  if (left.status !== right.status) return false;
  if (left.body.equals(right.body)) return true;
  const [mine, other] = [jsonOf(left), jsonOf(right)];
  return mine !== undefined && other !== undefined && shapeOf(mine) === shapeOf(other);
}

export async function checkCredentials(api: Api, visited: readonly Visited[]): Promise<void> {
  const { inquiry, baseline } = api;
  const { credential } = inquiry.input;
  for (const { operation, request, answer: known } of visited) {
    if (!operation.needsCredential || inquiry.isOver) continue;
    const bare = { ...request, isAuthenticated: false };
    const answer = credential === null ? known : await inquiry.ask(bare);
    if (answer === null) continue;
    const name = `${operation.method} ${operation.path}`;
    if (baseline.isFound(answer)) {
      const isProven = credential !== null && isSame(answer, known);
      inquiry.claim({
        rule: 'authentication-missing',
        at: request.url,
        title: `Served without the credential that its document asks for: ${name}`,
        detail: isProven
          ? `${name} without a credential is answered with ${answer.status} and the same as with one.`
          : `${name} without a credential is answered with ${answer.status}.`,
        evidence: showExchange(bare, answer, { headers: ['content-type'] }),
        repro: bare,
        ...(isProven ? { evidenceClass: 'A' as const } : {}),
      });
      continue;
    }
    if (credential === null || !baseline.isFound(known)) continue;
    const scheme = /^(\S{1,20}) +\S/.exec(credential.value)?.[1];
    const wrong = {
      ...bare,
      headers: {
        ...bare.headers,
        [credential.header]: scheme === undefined ? madeUpSecret : `${scheme} ${madeUpSecret}`,
      },
    };
    const accepted = await inquiry.ask(wrong);
    if (accepted === null || !baseline.isFound(accepted)) continue;
    inquiry.claim({
      rule: 'credential-not-checked',
      at: request.url,
      title: `A credential that does not exist is accepted: ${name}`,
      detail: `${name} is refused with ${answer.status} without a credential and answered with ${accepted.status} with the made-up one "${madeUpSecret}".`,
      evidence: showExchange(wrong, accepted, { headers: ['content-type'] }),
      repro: wrong,
    });
  }
}

/** Those that are open by their nature. */
const openByNature =
  /(?:^|[/_-])(?:log-?in|sign-?(?:in|up)|token|register|auth|oauth2?|sessions?|webhooks?|callback|password|verify)(?:[/_-]|$)/i;

/** By the document alone: nothing is called. */
export function checkUnprotectedWrites({ inquiry, description, base }: Api): void {
  const open = description.operations.filter(
    ({ method, isUnprotected, path }) => writingMethods.has(method) && isUnprotected && !openByNature.test(path),
  );
  if (open.length === 0) return;
  const names = open.slice(0, 20).map(({ method, path }) => `${method} ${path}`);
  inquiry.claim({
    rule: 'unprotected-write',
    at: base,
    detail: `${open.length} operations that write have no security requirement${description.schemes.size === 0 ? ', and the document has no security scheme at all' : ''}: ${names.join(', ')}.`,
    evidence: names.join('\n'),
    repro: '',
    ...(description.schemes.size === 0 ? { severity: 'low' as const } : {}),
  });
}
