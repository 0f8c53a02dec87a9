import type { Policy } from '../../../base/policy-schema.ts';
import { forTerminal, untrusted } from '../../../base/untrusted.ts';
import type { BoxRecord } from '../../../engine/box/contract.ts';
import type { LedgerWriter } from '../../../engine/ledger/contract.ts';
import type { Gap } from '../../../engine/policy/gap.ts';
import type { GuardMode, PreparedServer } from '../contract.ts';
import type { Note } from './run-ledger.ts';

/** The entry that stands in the ledger before a server runs its first instruction. */

const longestWord = 300;
const mostWords = 100;

/** Words that hold a secret more often than not: `--token=…`, `--api-key …`, `user:password@`. */
const secretFlag = /^--?[a-z0-9_-]*(?:key|token|secret|passw|pwd|credential|auth|bearer|cookie)[a-z0-9_-]*(=|$)/i;
const secretShape =
  /:\/\/[^/\s:@]*:[^/\s@]+@|\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[abpr]|AKIA|ASIA|npm|pypi)[-_A-Za-z0-9]{12,}/;
/** Long, of one piece, with letters and digits: a path or a sentence is not. */
const longToken = /^(?![/.])(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9+/_=-]{32,}$/;

function shown(word: string): string {
  return forTerminal(untrusted(word, longestWord));
}

/** The command as it may be read by anybody: what looks like a secret is only its keyed hash. */
export function withoutSecrets(argv: readonly string[], hash: LedgerWriter['hashSecret']): readonly string[] {
  let isValueNext = false;
  const words = argv.slice(0, mostWords).map((word) => {
    const isValue = isValueNext;
    const flag = secretFlag.exec(word);
    isValueNext = flag !== null && flag[1] !== '=';
    // A flag that follows has no value of its own before it.
    if (isValue && !word.startsWith('-')) return `secret:${hash(word)}`;
    if (flag !== null && flag[1] === '=')
      return `${shown(word.slice(0, flag[0].length))}secret:${hash(word.slice(flag[0].length))}`;
    return secretShape.test(word) || longToken.test(word) ? `secret:${hash(word)}` : shown(word);
  });
  return argv.length > mostWords ? [...words, `… ${argv.length - mostWords} more`] : words;
}

export interface StartFacts {
  readonly server: PreparedServer;
  readonly policy: Policy;
  readonly mode: GuardMode;
  readonly record: BoxRecord;
  readonly accepted: readonly Gap[];
  readonly isWatched: boolean;
  /** Names alone. */
  readonly variables: readonly string[];
}

function placeOf({ record, policy }: StartFacts): Note['details'] {
  return {
    backend: record.backend,
    box: record.id,
    limits: Object.fromEntries(record.limitsInForce.map(({ limit, value, by }) => [limit, { value, by }])),
    network: record.isOnNetwork ? policy.network.mode : 'none',
  };
}

export function startEntry(facts: StartFacts, ledger: LedgerWriter): Note {
  const { server, mode, policy, accepted, isWatched, variables } = facts;
  return {
    action: 'server.start',
    verdict: 'allowed',
    details: {
      subject: shown(server.subject),
      version: server.version === null ? null : shown(server.version),
      integrity: server.integrity,
      argv: withoutSecrets(server.argv, ledger.hashSecret.bind(ledger)),
      argvHash: ledger.hashSecret(JSON.stringify(server.argv)),
      mode,
      policyName: shown(policy.name),
      ...placeOf(facts),
      allowedGaps: accepted.map(({ id, path, what }) => ({ id, path, what })),
      variables,
      isWatched,
    },
  };
}

export function refusalEntry(
  facts: Omit<StartFacts, 'accepted'> & { readonly refused: readonly Gap[] },
  ledger: LedgerWriter,
): Note {
  const { server, mode, refused } = facts;
  return {
    action: 'server.refuse',
    verdict: 'refused',
    rule: `gap/${refused[0]?.id ?? 'unknown'}`,
    details: {
      subject: shown(server.subject),
      argv: withoutSecrets(server.argv, ledger.hashSecret.bind(ledger)),
      mode,
      ...placeOf({ ...facts, accepted: [] }),
      gaps: refused.map(({ id, path, what }) => ({ id, path, what })),
    },
  };
}
