import type { ListedTool } from '../../../../targets/conversation/contract.ts';
import { wordsOf } from '../arguments/meaning.ts';

/** What may be done to a server that is not in a box. Nothing holds it there, and it may belong to somebody else. */

export interface RemoteConsent {
  /** Call tools that look as if they only read, with honest arguments. Default: false. */
  readonly honestCalls?: boolean;
  /** Call all tools, also with values that are meant to mislead them. Default: false. */
  readonly intrusive?: boolean;
}

export type RemoteStepId = 'handshake' | 'list' | 'http-checks' | 'honest-calls' | 'trials';

export interface RemoteStep {
  readonly id: RemoteStepId;
  readonly isAllowed: boolean;
  readonly because: string;
}

export function remoteSteps({ honestCalls = false, intrusive = false }: RemoteConsent): readonly RemoteStep[] {
  const always = { isAllowed: true, because: 'every client does it' } as const;
  return [
    { id: 'handshake', ...always },
    { id: 'list', ...always },
    { id: 'http-checks', isAllowed: true, because: 'a few small requests that change nothing' },
    intrusive || honestCalls
      ? {
          id: 'honest-calls',
          isAllowed: true,
          because: intrusive
            ? 'the user allows all calls'
            : 'the user allows calls of tools that look as if they only read',
        }
      : {
          id: 'honest-calls',
          isAllowed: false,
          because: 'a call can change something, and nothing holds a remote server',
        },
    intrusive
      ? { id: 'trials', isAllowed: true, because: 'the user says that this server may be attacked' }
      : { id: 'trials', isAllowed: false, because: 'attacking a server needs the word of its owner' },
  ];
}

const reading: ReadonlySet<string> = new Set(
  'check count describe explain fetch find get help info inspect list lookup ping query read resolve retrieve search show status validate version view'.split(
    ' ',
  ),
);
const changing: ReadonlySet<string> = new Set(
  'add apply archive buy cancel change clear close commit create delete deploy drop edit execute import insert invite kill merge move order patch pay post publish purge push put remove rename replace reset restart revoke run send set start stop submit transfer trigger update upload write'.split(
    ' ',
  ),
);

/** By its name, and not against its annotations. A name can lie: that is why the user is asked. */
export function looksReadOnly({ name, annotations = {} }: Pick<ListedTool, 'name' | 'annotations'>): boolean {
  if (annotations.readOnlyHint === false || annotations.destructiveHint === true) return false;
  const words = wordsOf(name).split('-');
  if (words.some((word) => changing.has(word))) return false;
  return words.some((word) => reading.has(word)) || annotations.readOnlyHint === true;
}

export function callableTools(tools: readonly ListedTool[], consent: RemoteConsent): readonly ListedTool[] {
  if (consent.intrusive === true) return tools;
  return consent.honestCalls === true ? tools.filter(looksReadOnly) : [];
}
