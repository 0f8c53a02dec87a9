import { isJsonType, mediaTypeOf } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import type { Inquiry } from '../inquiry/inquiry.ts';
import type { HttpRule } from './rules.ts';

/** The answer to the plain request that everything else is compared with. */
export interface Front {
  readonly url: URL;
  readonly request: AuditRequest;
  readonly answer: AuditAnswer;
  /** Which headers matter depends on it. */
  readonly kind: 'page' | 'data' | 'other';
}

export type HttpInquiry = Inquiry<HttpRule>;
export type Check = (inquiry: HttpInquiry, front: Front) => Promise<void> | void;

export function frontOf(request: AuditRequest, answer: AuditAnswer): Front {
  const mediaType = mediaTypeOf(answer);
  const isPage = mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
  const kind = isPage ? 'page' : isJsonType(mediaType) ? 'data' : 'other';
  return { url: new URL(request.url), request, answer, kind };
}

export const isSuccess = ({ status }: Pick<AuditAnswer, 'status'>): boolean => status >= 200 && status < 300;

/** The URL without its query, for requests that bring their own. */
export function bareUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
