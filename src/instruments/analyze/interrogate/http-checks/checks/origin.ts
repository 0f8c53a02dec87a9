import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { proofOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

export const origin: HttpCheck = {
  id: 'origin',
  title: 'Does it take requests of a foreign web page?',
  isGentle: true,
  needs: 'plain',
  async run(bench) {
    // Told by the graver rule already.
    if (bench.isInside && (await bench.serves(await bench.visitAs('rebound')))) return nothing;
    const visited = await bench.visitAs('page');
    if (!(await bench.serves(visited))) return nothing;
    const evidence = proofOf(visited.exchanges);
    const severity = bench.isInside ? 'low' : 'info';
    return { findings: [claim(bench, httpRules.origin, { evidenceClass: 'D', severity, evidence })] };
  },
};
