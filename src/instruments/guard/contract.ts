import type { JsonObject } from '../../base/json-shape.ts';
import type { Policy } from '../../base/policy-schema.ts';
import type { LedgerWriter } from '../../engine/ledger/contract.ts';

/** Guard stands between a client and a server in a box. These are the few types that its rooms share. */

export const guardModes = ['enforce', 'audit', 'learn'] as const;
/** `enforce` refuses, `audit` only tells, `learn` only tells and writes down what was needed. The box holds in all three. */
export type GuardMode = (typeof guardModes)[number];

export type Direction = 'to-server' | 'to-client';

/** JSON-RPC as it is on the way. What is none of these is noise. */
export type MessageKind = 'request' | 'notification' | 'response';

export interface Message {
  readonly direction: Direction;
  readonly kind: MessageKind;
  /** Of a response: the method of the request it answers, as far as that is known. */
  readonly method: string | null;
  readonly id: string | number | null;
  readonly value: JsonObject;
  /** The line as it came, without its end. It goes on as it is unless a rule says otherwise. */
  readonly bytes: Buffer;
  /** Of a response: the request it answers. */
  readonly request: Message | null;
}

/** Which rule spoke, why, and what a person can do about it. */
export interface RuleHit {
  /** `tools/denied`, `pin/changed`, `text/instructions`, `secrets/leaving`, … */
  readonly rule: string;
  readonly title: string;
  /** What was seen, in our words: never text of a server or a secret. */
  readonly what: string;
  /** For example `hotcell approve NAME`. */
  readonly remedy: string;
  readonly details?: JsonObject;
}

export type Decision =
  /** The bytes go on as they came. */
  | { readonly is: 'pass'; readonly noted?: readonly RuleHit[] }
  /** This goes on in its place. */
  | { readonly is: 'change'; readonly value: JsonObject; readonly hits: readonly RuleHit[] }
  /** A request is answered with an error, a response is replaced by one, a notification is dropped. */
  | { readonly is: 'refuse'; readonly hit: RuleHit };

/** One thing that is looked for in messages: one file, one line in the list. It never waits and never throws. */
export interface MessageRule {
  readonly id: string;
  readonly title: string;
  /** Methods whose requests, notifications or responses it wants to see; `*` is all of them. */
  readonly methods: readonly string[];
  readonly directions: readonly Direction[];
  judge(message: Message, context: RuleContext): Decision;
}

/** What the rules of one session know and share. */
export interface RuleContext {
  readonly server: string;
  readonly mode: GuardMode;
  readonly policy: Policy;
  readonly pins: ToolPins;
  readonly canaries: CanaryWatch;
  /** What to do with words that speak to the model in results. */
  readonly instructions: 'mark' | 'block' | 'pass';
}

/** What a server may offer, as a person has seen it. */
export interface ToolPins {
  /**
   * The first time it is remembered; later what differs is told. `part` is `tools`, `prompts`, `resources`, `templates`,
   * `instructions`; `offered` is the list of entries, or the text. Without `page` it is the whole list.
   */
  check(part: string, offered: unknown, page?: PinPage): PinCheck;
  /** Tools that are held back until somebody approves. */
  isQuarantined(tool: string): boolean;
  /** For a line of the policy that says `ask`: whether a person has said yes. A yes for one call is used up by it. */
  takeAsked?(tool: string): boolean;
}

/** A list that comes in pages is one list: what is gone from it is known after its last page. */
export interface PinPage {
  /** The request had no cursor. */
  readonly isFirst: boolean;
  /** The answer names no further page. */
  readonly isLast: boolean;
}

export type PinCheck =
  | { readonly is: 'first' }
  | { readonly is: 'same' }
  /** `lines` is a readable difference, made safe to show; `names` are the entries that are new or changed. */
  | { readonly is: 'changed'; readonly names: readonly string[]; readonly lines: readonly string[] };

/** Tokens that must not turn up elsewhere. */
export interface CanaryWatch {
  /** Where a token of another server, or a planted one, is in these bytes; in any encoding that the senses know. */
  search(where: CanaryPlace, bytes: Uint8Array): readonly CanaryHit[];
}

export interface CanaryPlace {
  readonly server: string;
  readonly channel: 'arguments' | 'results' | 'stderr' | 'files' | 'network';
  readonly name: string;
}

export interface CanaryHit {
  /** Of the canary, never the token itself. */
  readonly id: string;
  /** Where it was planted. */
  readonly plantedIn: string;
  readonly encoding: string;
}

/** A launch command, resolved: nothing is fetched or installed any more when a client starts it. */
export interface PreparedServer {
  /** `npm:name`, `pypi:name`, `folder:/path`, `command:node`: what pins and policies go by. */
  readonly subject: string;
  readonly version: string | null;
  /** Of everything that is run, as it was fetched. */
  readonly integrity: string | null;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Where the command was given: relative words of it mean something there. It is started there if the policy shows that. */
  readonly callerFolder?: string;
  /** Files of this machine that it cannot start without: its own code, its interpreter. */
  readonly files: Policy['files'];
  /** What could not be had, in words. */
  readonly problems: readonly string[];
}

/** What every room of guard writes to. A failed append stops what it tells about. */
export interface GuardRecorder {
  readonly ledger: LedgerWriter;
  readonly session: string;
}
