import { quoteText } from '../client/index.ts';
import {
  agreedVersion,
  type CallOptions,
  confirm,
  type Era,
  endSession,
  greet,
  type Heard,
  isGreeted,
  legacyEra,
  type McpInquiry,
  modernEra,
  serverNameOf,
} from './talk.ts';

/** How one gets in: with or without the credential, in which version, with or without sessions. */

export interface Access {
  readonly hello: Heard;
  readonly era: Era;
  /** No credential was needed. */
  readonly isOpen: boolean;
  readonly session: string | undefined;
  /** For a proper request: era, session and whether the credential goes along. */
  readonly usual: CallOptions;
}

export interface Entrance {
  readonly access: Access | null;
  /** The answer to a caller without a credential, where it was a refusal. */
  readonly refusal: Heard | null;
  readonly isMcp: boolean;
}

async function tryEras(
  inquiry: McpInquiry,
  isAuthenticated: boolean,
): Promise<{ first: Heard | null; access: Access | null }> {
  let first: Heard | null = null;
  for (const era of [legacyEra, modernEra]) {
    const hello = await greet(inquiry, { era, isAuthenticated });
    first ??= hello;
    if (isGreeted(hello)) {
      const agreed = { ...era, protocolVersion: agreedVersion(hello, era) };
      const usual = { era: agreed, session: hello.session, isAuthenticated };
      return { first, access: { hello, era: agreed, isOpen: !isAuthenticated, session: hello.session, usual } };
    }
    // Whoever refuses the caller has not looked at the message.
    if (hello === null || hello.answer.status === 401 || hello.answer.status === 403) break;
  }
  return { first, access: null };
}

export async function enter(inquiry: McpInquiry): Promise<Entrance> {
  const open = await tryEras(inquiry, false);
  const isRefused = open.access === null && (open.first?.answer.status === 401 || open.first?.answer.status === 403);
  const refusal = isRefused ? open.first : null;
  const access = open.access ?? (inquiry.hasCredential ? (await tryEras(inquiry, true)).access : null);
  const isMcp = access !== null || open.first?.error !== undefined;
  inquiry.fact('mcp', {
    is_mcp: isMcp,
    without_credential: open.access === null ? (open.first?.answer.status ?? null) : 'open',
    ...(access === null
      ? {}
      : {
          protocol_version: quoteText(access.era.protocolVersion, 40),
          server: quoteText(serverNameOf(access.hello), 200),
          has_sessions: access.session !== undefined,
        }),
  });
  if (access !== null) await confirm(inquiry, access.usual);
  else if (open.first !== null) inquiry.note(`initialize is answered with ${open.first.answer.status} and no greeting`);
  return { access, refusal, isMcp };
}

/** Sessions that were opened for a check are ended, where the server can. */
export async function leave(inquiry: McpInquiry, heard: Heard | null, usual: CallOptions): Promise<void> {
  if (heard?.session === undefined || !inquiry.covers(inquiry.input.url, 'DELETE')) return;
  await endSession(inquiry, heard.session, usual);
}
