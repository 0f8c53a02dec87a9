import { randomUUID } from 'node:crypto';
import { messageOf } from '../ask.ts';
import type { Bench } from '../bench.ts';
import { because, claim, notChecked, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';
import { hasTools } from './cross-site.ts';

/** The list of tools as a session of this id, which need not exist. */
export const listAs = (bench: Bench, headers: Readonly<Record<string, string>>, id: string) =>
  bench.ask({ headers: { ...headers, 'mcp-session-id': id }, body: messageOf('tools/list') });

export const unknownSession: HttpCheck = {
  id: 'unknown-session',
  title: 'Does it serve sessions that it never opened?',
  isGentle: true,
  needs: 'initialize',
  async run(bench) {
    const session = await bench.open();
    if (session?.id == null) return notChecked(because.noSession);
    const answer = await listAs(bench, session.headers, randomUUID());
    await bench.leave(session);
    if (!hasTools(answer)) return nothing;
    return {
      findings: [
        claim(bench, httpRules.unknownSession, { evidenceClass: 'D', evidence: [evidenceOf(answer.exchange)] }),
      ],
    };
  },
};
