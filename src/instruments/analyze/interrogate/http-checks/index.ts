import type { Finding } from '../../../../base/finding-schema.ts';
import { isModernVersion } from '../../../../targets/conversation/era.ts';
import { type Bench, openBench } from './bench.ts';
import { authentication } from './checks/authentication.ts';
import { bodyLimit } from './checks/body-limit.ts';
import { cors } from './checks/cors.ts';
import { crossSite } from './checks/cross-site.ts';
import { fixation } from './checks/fixation.ts';
import { methods } from './checks/methods.ts';
import { olderForm } from './checks/older-form.ts';
import { origin } from './checks/origin.ts';
import { rebinding } from './checks/rebinding.ts';
import { sessionIds } from './checks/session-ids.ts';
import { stackTrace } from './checks/stack-trace.ts';
import { unknownSession } from './checks/unknown-session.ts';
import { version } from './checks/version.ts';
import { because } from './claim.ts';
import type { HttpCheck, HttpReport, HttpTarget } from './contract.ts';
import { boxLimits, type HttpCheckLimits, remoteLimits } from './limits.ts';

export type { HttpCheck, HttpReport, HttpTarget } from './contract.ts';
export type { HttpCheckLimits } from './limits.ts';
export { bindAddressesOf, isInside, type Reach, reachOf } from './reach.ts';
export { httpRules } from './rules.ts';

/** The gravest first, for a server that goes away ends the rest. */
export const httpChecks: readonly HttpCheck[] = [
  authentication,
  rebinding,
  origin,
  cors,
  crossSite,
  olderForm,
  sessionIds,
  unknownSession,
  fixation,
  version,
  methods,
  stackTrace,
  bodyLimit,
];

export interface HttpCheckOptions {
  readonly limits?: Partial<HttpCheckLimits>;
  readonly signal?: AbortSignal;
}

const usedUp = 'its time, or its number of requests, was used up';
const denials: ReadonlySet<number> = new Set([401, 403, 407]);

/** Why a check would learn nothing; null when it would. */
async function missing(bench: Bench, needs: HttpCheck['needs']): Promise<string | null> {
  if (needs === 'nothing') return null;
  const plain = await bench.visitAs('plain');
  if (!(await bench.serves(plain)))
    return plain.exchanges.some(({ status }) => denials.has(status)) ? because.credential : because.unserved;
  if (needs === 'plain') return null;
  if (bench.target.endpoint.form === 'sse') return because.otherForm;
  return plain.version !== null && isModernVersion(plain.version) ? because.modern : null;
}

/** Never rejects for what the server does: what could not be looked at is told. */
export async function runHttpChecks(target: HttpTarget, options: HttpCheckOptions = {}): Promise<HttpReport> {
  const limits = { ...(target.isRemote ? remoteLimits : boxLimits), ...options.limits };
  const bench = openBench(target, limits, options.signal);
  const findings: Finding[] = [];
  const notChecked: { check: string; because: string }[] = [];
  const isThere = (await bench.ask({ method: 'OPTIONS', headers: {} })) !== null;
  for (const { id, isGentle, needs, run } of httpChecks) {
    const reason = !isThere
      ? 'nobody answers there'
      : bench.isOver()
        ? usedUp
        : target.isRemote && !isGentle
          ? 'not done to a server of somebody else'
          : await missing(bench, needs);
    if (reason !== null) {
      notChecked.push({ check: id, because: reason });
      continue;
    }
    const outcome = await run(bench);
    findings.push(...outcome.findings);
    if (outcome.notChecked !== undefined) notChecked.push({ check: id, because: outcome.notChecked });
    // A silence that our own end made is no answer.
    else if (bench.isOver() && outcome.findings.length === 0) notChecked.push({ check: id, because: usedUp });
  }
  return { findings, notChecked, requests: bench.requests() };
}
