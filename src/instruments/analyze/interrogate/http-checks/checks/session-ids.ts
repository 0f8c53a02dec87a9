import { excerpt } from '../../../inspect/rule.ts';
import type { Session } from '../bench.ts';
import { because, claim, notChecked, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';
import { guessableBecause } from '../session-id.ts';

const sessions = 4;

export const sessionIds: HttpCheck = {
  id: 'session-ids',
  title: 'Can its session ids be guessed?',
  isGentle: true,
  needs: 'initialize',
  async run(bench) {
    const open: Session[] = [];
    for (let count = 0; count < sessions; count += 1) {
      const session = await bench.open();
      if (session?.id == null) break;
      open.push(session);
    }
    for (const session of open) await bench.leave(session);
    const ids = open.flatMap(({ id }) => (id === null ? [] : [id]));
    const [last] = open.slice(-1);
    if (ids.length < 2 || last === undefined) return notChecked(because.noSession);
    const why = guessableBecause(ids);
    if (why === null) return nothing;
    const shown = { kind: 'response' as const, ref: 'Mcp-Session-Id', excerpt: excerpt(`${why}: ${ids.join(', ')}`) };
    const evidence = [shown, evidenceOf(last.answer.exchange)];
    return { findings: [claim(bench, httpRules.guessableSession, { evidenceClass: 'B', evidence })] };
  },
};
