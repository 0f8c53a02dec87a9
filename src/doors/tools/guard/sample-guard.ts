import type { ToolAnswer } from '../answer.ts';
import { callTool } from '../call-tool.ts';
import type { RecordedEntry } from '../contract.ts';
import { openToolLedger } from '../open-tool-ledger.ts';
import { openSampleHost } from '../sample-host.ts';
import { guardToolset } from './index.ts';

/** The tools of guard on a home of their own, for tests. */

/** Fields of answers that are looked into, whichever tool has them. */
export interface GuardAnswers {
  readonly subprocessHandle: string;
  readonly profileFingerprint: string;
  readonly policyFingerprint: string;
  readonly policy: string;
  readonly policyDescriptors: readonly { readonly target: string; readonly text: string }[];
  readonly canaryToken: string;
  readonly leakLocations: readonly { readonly serverId: string; readonly channel: string }[];
  readonly entries: readonly { readonly action: string; readonly verdict: string; readonly at: string }[];
  readonly staleEgressModeWarnings: readonly unknown[];
  readonly overall: string;
  readonly perCve: readonly { readonly id: string; readonly status: string }[];
  readonly shapes: readonly unknown[];
}

export interface SampleGuard {
  readonly home: string;
  answer(name: string, input: object, record?: (entry: RecordedEntry) => Promise<void>): Promise<ToolAnswer>;
  /** Throws where the answer is an error. */
  ask(name: string, input: object): Promise<GuardAnswers>;
  /** As another process finds it. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const registration = {
  serverId: 'files',
  binary: 'node',
  args: ['/srv/files/server.js', '--token', 'very-secret-value'],
  trustTier: 'MEDIUM',
  isolationProfile: { fsReadOnly: ['/srv/files'], memMB: 256 },
};

export async function openSampleGuard(): Promise<SampleGuard> {
  const sample = await openSampleHost();
  let ledger = openToolLedger({ home: sample.home, checkpointCopies: 'none' });
  const answer: SampleGuard['answer'] = (name, input, record = ledger.record) => {
    const tool = guardToolset.tools.find((each) => each.name === name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    return callTool(tool, input, { ...sample.host, record });
  };
  return {
    home: sample.home,
    answer,
    async ask(name, input) {
      const { isError, text, structured } = await answer(name, input);
      if (isError) throw new Error(text);
      return structured as unknown as GuardAnswers;
    },
    async restart() {
      await ledger.close();
      ledger = openToolLedger({ home: sample.home, checkpointCopies: 'none' });
    },
    async close() {
      await ledger.close();
      await sample.close();
    },
  };
}
