import { because, claim, notChecked, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { proofOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

export const rebinding: HttpCheck = {
  id: 'rebinding',
  title: 'Does it take requests under a foreign host name?',
  isGentle: true,
  needs: 'plain',
  async run(bench) {
    if (!bench.isInside) return notChecked(because.public);
    const visited = await bench.visitAs('rebound');
    if (!(await bench.serves(visited))) return nothing;
    return {
      findings: [claim(bench, httpRules.rebinding, { evidenceClass: 'A', evidence: proofOf(visited.exchanges) })],
    };
  },
};
