import { messageOf } from '../ask.ts';
import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { largeBodyBytes } from '../limits.ts';
import { httpRules } from '../rules.ts';
import { hasTools } from './cross-site.ts';

export const bodyLimit: HttpCheck = {
  id: 'body-limit',
  title: 'Does it take messages of any size?',
  isGentle: false,
  needs: 'initialize',
  async run(bench) {
    const session = await bench.open();
    const padding = ' '.repeat(largeBodyBytes);
    const answer = await bench.ask({
      ...(session === null ? {} : { headers: session.headers }),
      body: messageOf('tools/list', { _meta: { padding } }),
    });
    if (session !== null) await bench.leave(session);
    if (!hasTools(answer)) return nothing;
    return {
      findings: [claim(bench, httpRules.bodyLimit, { evidenceClass: 'D', evidence: [evidenceOf(answer.exchange)] })],
    };
  },
};
