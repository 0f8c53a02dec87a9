import type { Finding } from '../../../../../base/finding-schema.ts';
import { foreign } from '../bench.ts';
import { claim } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf, proofOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

type Headers = Readonly<Record<string, string>>;

/** Names in a list of a CORS header, in lower case. */
export function namesIn(value: string | undefined): ReadonlySet<string> {
  const names = (value ?? '').slice(0, 4096).split(',');
  return new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
}

const allowsOrigin = (headers: Headers): boolean =>
  ['*', foreign.page].includes((headers['access-control-allow-origin'] ?? '').trim());

function has(headers: Headers, field: string, wanted: readonly string[]): boolean {
  const names = namesIn(headers[field]);
  return names.has('*') || wanted.every((name) => names.has(name));
}

export const cors: HttpCheck = {
  id: 'cors',
  title: 'Does it let foreign web pages read its answers?',
  isGentle: true,
  needs: 'nothing',
  async run(bench) {
    const preflight = await bench.ask({
      method: 'OPTIONS',
      headers: {
        origin: foreign.page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,mcp-protocol-version,mcp-session-id',
      },
    });
    const isWelcome = preflight !== null && preflight.status < 300 && allowsOrigin(preflight.headers);
    if (preflight === null || !isWelcome) return { findings: [] };
    const findings: Finding[] = [];
    const allowed = evidenceOf(preflight.exchange);
    if (/^true$/i.test((preflight.headers['access-control-allow-credentials'] ?? '').trim())) {
      const isStar = preflight.headers['access-control-allow-origin']?.trim() === '*';
      const weight = isStar ? ({ evidenceClass: 'D', severity: 'low' } as const) : ({ evidenceClass: 'B' } as const);
      findings.push(claim(bench, httpRules.corsCredentials, { ...weight, evidence: [allowed] }));
    }
    const visited = await bench.visitAs('page');
    if (!bench.isInside || !(await bench.serves(visited))) return { findings };
    const answers = visited.exchanges.filter(({ method, status }) => method === 'POST' && status === 200);
    const hasSession = answers.some(({ headers }) => headers['mcp-session-id'] !== undefined);
    const canRead =
      answers.length > 0 &&
      answers.every(({ headers }) => allowsOrigin(headers)) &&
      has(preflight.headers, 'access-control-allow-headers', [
        'content-type',
        ...(hasSession ? ['mcp-session-id'] : []),
      ]) &&
      // Without its id a page cannot go on in a session.
      (!hasSession ||
        answers.some(
          ({ headers }) =>
            headers['mcp-session-id'] !== undefined &&
            has(headers, 'access-control-expose-headers', ['mcp-session-id']),
        ));
    if (canRead)
      findings.push(
        claim(bench, httpRules.corsOpen, { evidenceClass: 'A', evidence: [allowed, ...proofOf(visited.exchanges)] }),
      );
    return { findings };
  },
};
