import { showExchange } from '../client/index.ts';
import type { AuditAnswer, AuditRequest } from '../contract.ts';
import { bareUrl, type Check, type HttpInquiry, isSuccess } from './front.ts';

const marks: readonly RegExp[] = [
  /<title>Index of \/[^<]{0,500}<\/title>/i,
  /<title>Directory listing for \/[^<]{0,500}<\/title>/i,
  /<title>listing directory \/[^<]{0,500}<\/title>/i,
  /<h1>Directory: \/[^<]{0,500}<\/h1>/i,
  /<A HREF="[^"]{0,500}">\[To Parent Directory\]<\/A>/i,
];
const folders = ['static/', 'files/', 'uploads/', 'assets/', 'backup/'];

const headBytes = 16 * 1024;

function judge(inquiry: HttpInquiry, request: AuditRequest, answer: AuditAnswer): void {
  const head = answer.body.subarray(0, headBytes).toString('latin1');
  if (!isSuccess(answer) || !marks.some((mark) => mark.test(head))) return;
  inquiry.claim({
    rule: 'directory-listing',
    at: request.url,
    detail: 'The answer is the page on which a server lists a folder.',
    evidence: showExchange(request, answer, { headers: ['content-type'], bodyBytes: 300 }),
    repro: request,
  });
}

export const checkListings: Check = async (inquiry, front) => {
  judge(inquiry, front.request, front.answer);
  const folder = bareUrl(front.url).replace(/[^/]{0,2000}$/, '');
  const places = [folder, ...folders.map((name) => `${folder}${name}`)].filter((place) => place !== front.request.url);
  for (const place of places) {
    if (!inquiry.covers(place)) continue;
    const request: AuditRequest = { url: place };
    const answer = await inquiry.ask(request);
    if (answer !== null) judge(inquiry, request, answer);
  }
};
