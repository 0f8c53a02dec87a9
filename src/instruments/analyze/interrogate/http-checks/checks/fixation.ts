import { randomUUID } from 'node:crypto';
import { because, claim, notChecked, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';
import { hasTools } from './cross-site.ts';
import { listAs } from './unknown-session.ts';

export const fixation: HttpCheck = {
  id: 'fixation',
  title: 'Can a client choose the id of its session?',
  isGentle: true,
  needs: 'initialize',
  async run(bench) {
    const chosen = randomUUID();
    const session = await bench.open({ 'mcp-session-id': chosen });
    if (session === null) return notChecked('it opens no session under an id of ours');
    if (session.id === null) return notChecked(because.noSession);
    const answer = await listAs(bench, session.headers, chosen);
    // One that takes every id takes this one too, and is told of by another rule.
    const other = await listAs(bench, session.headers, randomUUID());
    await bench.leave(session);
    if (!hasTools(answer) || hasTools(other)) return nothing;
    const evidence = [evidenceOf(session.answer.exchange), evidenceOf(answer.exchange)];
    return { findings: [claim(bench, httpRules.fixation, { evidenceClass: 'B', severity: 'low', evidence })] };
  },
};
