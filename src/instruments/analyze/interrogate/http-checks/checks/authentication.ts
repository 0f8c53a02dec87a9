import { excerpt } from '../../../inspect/rule.ts';
import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { proofOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

export const authentication: HttpCheck = {
  id: 'authentication',
  title: 'Does it want to know who asks?',
  isGentle: true,
  needs: 'nothing',
  async run(bench) {
    const visited = await bench.visitAs('plain');
    if (!(await bench.serves(visited)) || visited.listed === 0) return nothing;
    const { target, reach } = bench;
    const bound = target.bindAddresses.join(', ');
    const evidence = [
      ...proofOf(visited.exchanges),
      ...(bound === '' ? [] : [{ kind: 'event' as const, ref: 'bind', excerpt: excerpt(`bound to ${bound}`) }]),
    ];
    // Some servers on the internet are open on purpose; what one listens on in a box is what it does everywhere.
    if (target.isRemote && reach === 'network')
      return { findings: [claim(bench, httpRules.open, { evidenceClass: 'D', severity: 'low', evidence })] };
    if (reach === 'network') return { findings: [claim(bench, httpRules.open, { evidenceClass: 'B', evidence })] };
    const finding = claim(bench, httpRules.open, {
      ...{ evidenceClass: 'D', severity: 'info', evidence },
      title: 'Wants no credential; only this machine can reach it',
    });
    if (reach === 'loopback') return { findings: [finding] };
    return {
      findings: [{ ...finding, title: 'Wants no credential' }],
      notChecked: 'nothing told on which address it listens',
    };
  },
};
