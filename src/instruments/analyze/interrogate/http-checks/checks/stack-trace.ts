import { claim, nothing } from '../claim.ts';
import type { HttpCheck } from '../contract.ts';
import { evidenceOf } from '../exchange.ts';
import { httpRules } from '../rules.ts';

const traces = [
  /\bat [^\n]{0,200}?\(?(?:file:\/\/)?(?:\/|[A-Z]:\\)[^\s:()]{1,300}:\d{1,7}:\d{1,7}\)?/,
  /File \\?"(?:\/|[A-Z]:\\)[^"\n]{1,300}\\?", line \d{1,7}/,
  /(?:^|\s|\\n)(?:\/[\w.@-]{1,100}){2,20}\.(?:go|rs|rb|java|cs):\d{1,7}/,
];

/** The trace itself, where a text holds one with a path in it. */
export function stackTraceIn(text: string): string | null {
  for (const pattern of traces) {
    const found = pattern.exec(text);
    if (found !== null) return found[0];
  }
  return null;
}

const broken = ['{"jsonrpc":"2.0","id":1,"method":', '{"jsonrpc":"2.0","id":1,"method":{"a":[]},"params":7}'] as const;

export const stackTrace: HttpCheck = {
  id: 'stack-trace',
  title: 'Does it show its insides in errors?',
  isGentle: true,
  needs: 'nothing',
  async run(bench) {
    for (const body of broken) {
      const answer = await bench.ask({ body });
      if (answer !== null && stackTraceIn(answer.exchange.answer()) !== null)
        return {
          findings: [
            claim(bench, httpRules.stackTrace, { evidenceClass: 'D', evidence: [evidenceOf(answer.exchange)] }),
          ],
        };
    }
    return nothing;
  },
};
