import { type Answer, messageOf, usualHeaders } from '../ask.ts';
import { foreign } from '../bench.ts';
import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

/** The list of tools, and not merely a status: it was carried out. */
export const hasTools = (answer: Answer | null): answer is Answer => Array.isArray(answer?.result?.tools);

export const crossSite: HttpCheck = {
  id: 'cross-site',
  title: 'Does it carry out what a web page may send unasked?',
  isGentle: true,
  needs: 'initialize',
  async run(bench) {
    const plain = { ...usualHeaders, 'content-type': 'text/plain' };
    const body = messageOf('tools/list');
    const fromPage = await bench.ask({ headers: { ...plain, origin: foreign.page }, body });
    if (hasTools(fromPage) && bench.isInside)
      return {
        findings: [
          claim(bench, httpRules.crossSite, { evidenceClass: 'A', evidence: [evidenceOf(fromPage.exchange)] }),
        ],
      };
    const session = await bench.open();
    const alone = await bench.ask({ headers: { ...session?.headers, ...plain }, body });
    if (session !== null) await bench.leave(session);
    if (!hasTools(alone)) return nothing;
    return {
      findings: [claim(bench, httpRules.contentType, { evidenceClass: 'D', evidence: [evidenceOf(alone.exchange)] })],
    };
  },
};
