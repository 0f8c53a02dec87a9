import { describeError } from '../../../../base/errors.ts';
import type { JsonValue } from '../../contract.ts';
import { AuditFailure, coveredUrl, curlOf, longestCommand, quoteText } from '../client/index.ts';
import type { Audit, AuditAnswer, AuditInput, AuditRequest } from '../contract.ts';
import type { Claim, RuleTable } from './rule.ts';

/**
 * One audit in the hands of its checks: questions with a budget, claims without doubles. A check never fails because the
 * target does: a question without an answer is null, and said once.
 */

export interface InquiryOptions<Name extends string> {
  /** Before every rule: `graphql`. */
  readonly group: string;
  readonly rules: RuleTable<Name>;
  readonly mostRequests: number;
}

const mostPerRule = 40;
const mostFailureNotes = 5;
const tooManyRequests = 429;
/** In a row: whoever does not answer so often is gone, or does not want to. */
const mostFailures = 20;
const longest = { at: 2048, text: 1024, evidence: 2048, title: 200 };

/** Half a command is none. */
const bounded = (command: string): string => (command.length > longestCommand ? '' : command);

export class Inquiry<Name extends string> {
  readonly input: AuditInput;
  readonly #audit: Audit;
  readonly #options: InquiryOptions<Name>;
  readonly #claimed = new Set<string>();
  readonly #counts = new Map<Name, number>();
  readonly #noted = new Set<string>();
  #asked = 0;
  #failedInRow = 0;
  #failures = 0;
  #notAllowed = 0;
  #slowedDown = 0;

  constructor(audit: Audit, options: InquiryOptions<Name>) {
    this.input = audit.input;
    this.#audit = audit;
    this.#options = options;
  }

  get hasCredential(): boolean {
    return this.input.credential !== null;
  }

  /** No more questions are put: the budget is used up, or nobody answers. */
  get isOver(): boolean {
    return this.#asked >= this.#options.mostRequests || this.#failedInRow >= mostFailures;
  }

  async ask(request: AuditRequest): Promise<AuditAnswer | null> {
    if (this.#failedInRow >= mostFailures)
      return this.#silence(`gave up after ${mostFailures} requests in a row without an answer`);
    if (this.#asked >= this.#options.mostRequests) {
      return this.#silence(`stopped after ${this.#options.mostRequests} requests: what was left is unchecked`);
    }
    this.#asked += 1;
    try {
      const answer = await this.#audit.client.send(request);
      this.#failedInRow = 0;
      if (answer.status === tooManyRequests) this.#slowedDown += 1;
      return answer;
    } catch (error) {
      return this.#failed(request, error);
    }
  }

  /** Whether the scope lets this request be sent; for those that are worth nothing but a try. */
  covers(url: string, method = 'GET'): boolean {
    try {
      coveredUrl(url, method, this.input);
      return true;
    } catch {
      return false;
    }
  }

  /** That sends it again, with a place for the credential where the client adds one; empty where it would be too long. */
  commandOf(request: AuditRequest): string {
    return curlOf(request, request.isAuthenticated === false ? undefined : this.input.credential?.header);
  }

  claim(claim: Claim<Name>): void {
    const key = `${claim.rule}\n${claim.at}\n${claim.title ?? ''}`;
    if (this.#claimed.has(key)) return;
    this.#claimed.add(key);
    const count = (this.#counts.get(claim.rule) ?? 0) + 1;
    this.#counts.set(claim.rule, count);
    if (count > mostPerRule) return;
    const rule = this.#options.rules[claim.rule];
    this.#audit.say({
      type: 'finding',
      finding: {
        rule: `${this.#options.group}/${claim.rule}`,
        title: quoteText(claim.title ?? rule.title, longest.title),
        severity: claim.severity ?? rule.severity,
        evidence_class: claim.evidenceClass ?? rule.evidenceClass,
        at: quoteText(claim.at, longest.at),
        detail: quoteText(claim.detail, longest.text),
        evidence: claim.evidence.slice(0, longest.evidence),
        remediation: rule.remediation,
        cwe: rule.cwe,
        repro: typeof claim.repro === 'string' ? bounded(claim.repro) : this.commandOf(claim.repro),
      },
    });
  }

  fact(name: string, value: JsonValue): void {
    this.#audit.say({ type: 'fact', name, value });
  }

  /** The same words are said once. */
  note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#audit.say({ type: 'note', text: quoteText(text, longest.text) });
  }

  progress(phase: string, share: number): void {
    this.#audit.say({ type: 'progress', phase, share });
  }

  /** What was left out for the sake of brevity. */
  end(): void {
    for (const [rule, count] of this.#counts) {
      if (count > mostPerRule) this.note(`${this.#options.group}/${rule}: ${count - mostPerRule} more places`);
    }
    if (this.#notAllowed > 0)
      this.note(`${this.#notAllowed} requests were not sent, since the scope does not allow them`);
    if (this.#slowedDown > 0) {
      this.note(
        `${this.#slowedDown} of ${this.#asked} requests were answered with 429 (too many requests): what they asked for is unchecked; scan at a lower rate`,
      );
    }
    if (this.#failures > mostFailureNotes) this.note(`${this.#failures} requests were without an answer`);
  }

  #failed(request: AuditRequest, error: unknown): null {
    if (error instanceof AuditFailure && error.kind === 'not-allowed') {
      this.#notAllowed += 1;
      return null;
    }
    this.#failedInRow += 1;
    this.#failures += 1;
    if (this.#failures <= mostFailureNotes) {
      this.note(`${request.method ?? 'GET'} ${quoteText(request.url, 300)}: ${quoteText(describeError(error), 300)}`);
    }
    return null;
  }

  #silence(because: string): null {
    this.note(because);
    return null;
  }
}

export interface Phase<Name extends string> {
  readonly name: string;
  run(inquiry: Inquiry<Name>): Promise<void>;
}

/** One after the other; a phase that fails is a note, and what was said before stays. */
export async function runPhases<Name extends string>(
  inquiry: Inquiry<Name>,
  phases: readonly Phase<Name>[],
): Promise<void> {
  for (const [index, phase] of phases.entries()) {
    inquiry.progress(phase.name, index / phases.length);
    try {
      await phase.run(inquiry);
    } catch (error) {
      inquiry.note(`${phase.name}: ${describeError(error)}`);
    }
  }
  inquiry.progress('end', 1);
  inquiry.end();
}
