import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import { listOf, numberOf, recordOf } from '../../engine/sensor/history/index.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { CallBook, toolOfCall } from './calls.ts';
import { isBelowAny, pathText, programOf, rawText } from './event-fields.ts';
import { isCovered, plainHost } from './hosts.ts';
import { type Credentials, readCredentials } from './rules-file.ts';

/** Planted secrets that left the box: the strongest thing that can be said about a server. */

const left: RuleText = {
  id: 'behaviour/canary-left',
  title: 'A planted secret left the box',
  severity: 'critical',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-200'],
  owasp: ['MCP01', 'MCP04'],
  what: 'A secret that was made for this run and planted in a file or a variable was found in what went out: a request, a question for a name, an answer to a call that did not ask for it. Encodings and compressions are undone.',
  why: 'Nothing but the planted place holds it, so the server read it and sent it. With real secrets it would have done the same.',
  remediation:
    'Do not run this server. If it ran on a machine of yours, replace the secrets that were within its reach.',
  fires: 'The key of .ssh/id_ed25519 is in the body of a request to collect.example, in base64.',
  silent: 'The token in GITHUB_TOKEN is sent to api.github.com, which it is made for.',
};

const elsewhere: RuleText = {
  id: 'behaviour/credential-sent-elsewhere',
  title: 'A credential goes to a host that it was not made for',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-522'],
  owasp: ['MCP01'],
  what: 'One or two variables with planted credentials of another vendor were sent to a host that the documentation names.',
  why: 'It may be a gateway that takes such keys; it may also collect them.',
  remediation:
    'Ask what the host does with the credential. Start the server without the variable where it does not need it.',
  fires: 'STRIPE_SECRET_KEY is sent to api.charts.example, which the README names.',
  silent: 'STRIPE_SECRET_KEY is sent to api.stripe.com.',
};

const answered: RuleText = {
  id: 'behaviour/secret-in-answer',
  title: 'A tool answers with secrets, as its name says',
  severity: 'medium',
  axis: 'exposure',
  cwe: ['CWE-200'],
  owasp: ['MCP01', 'MCP10'],
  what: 'A tool whose name speaks of the environment, settings or secrets put planted ones into its answer.',
  why: 'What is in an answer is in the context of the model, and from there in whatever the model calls next.',
  remediation: 'Switch the tool off, or start the server with no variables but those it needs.',
  fires: 'The answer of print_env holds AWS_SECRET_ACCESS_KEY.',
  silent: 'The answer of print_env holds names only.',
};

const logged: RuleText = {
  id: 'behaviour/secret-in-log',
  title: 'A planted secret is written to the log or to a file',
  severity: 'low',
  axis: 'exposure',
  cwe: ['CWE-532'],
  owasp: ['MCP01'],
  what: 'A planted secret stands in the error output of the server, or in a file that is not the one it was planted in.',
  why: 'It did not leave, but it lies where more people and programs read.',
  remediation: 'Keep logs and caches of this server private, and ask the authors to leave secrets out of them.',
  fires: 'The value of OPENAI_API_KEY is printed to stderr when the server starts.',
  silent: 'A file with a planted secret is rewritten where it lies.',
};

type Way =
  | { readonly kind: 'host'; readonly host: string }
  /** `output` is what a program prints: answers over stdio, and those are told as messages too; a log otherwise. */
  | { readonly kind: 'client' | 'output' | 'log' | 'inside' };

interface Leaked {
  readonly way: Way;
  readonly decoy: string;
  readonly variables: Set<string>;
  readonly events: Event[];
  readonly encodings: Set<string>;
  hasForeign: boolean;
  /** Every one of them was an answer of a tool whose name says so. */
  isNamedSo: boolean;
}

const mostLeaks = 512;
/** A server may be given one or two keys of others; nobody is given all of them. */
const mostOwnVariables = 2;
const speaksOfSecrets = /env|secret|credential|config|setting|variable|debug|diagnos|dump/i;

/** `collect.example:443`, `name zone.example`, `messages`, `stdout`, `stderr`, `arguments`, `file /path`. */
export function wayOf(via: string): Way {
  if (via === 'messages') return { kind: 'client' };
  if (via === 'stdout') return { kind: 'output' };
  if (via === 'stderr' || via.startsWith('file ')) return { kind: 'log' };
  if (via.startsWith('name ')) return { kind: 'host', host: via.slice('name '.length) };
  const host = plainHost(via.slice(0, via.lastIndexOf(':')));
  return host === undefined || via === 'arguments' ? { kind: 'inside' } : { kind: 'host', host };
}

class CanaryLeft implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #credentials: Credentials;
  readonly #calls = new CallBook();
  readonly #leaks = new Map<string, Leaked>();
  /** Then its end was searched as output only. */
  #hasCutAnswer = false;

  constructor(context: DetectorContext, credentials: Credentials) {
    this.#context = context;
    this.#credentials = credentials;
  }

  see(event: Event): void {
    if (event.kind === 'message') {
      this.#calls.see(event);
      this.#hasCutAnswer ||= event.fields.direction === 'from-target' && (event.truncated ?? []).includes('content');
    } else if (event.kind === 'leak') this.#seeLeak(event);
  }

  #seeLeak(event: Event): void {
    const via = rawText(event.fields.via) ?? '';
    const planted = rawText(event.fields.planted) ?? '';
    const way = wayOf(via);
    const isVariable = planted.startsWith('variable ');
    const file = isVariable ? null : planted.replace(/^file /, '');
    if (way.kind === 'inside' || this.#isAskedFor(event, way, file) || this.#isAtHome(event, way, file)) return;
    if (way.kind === 'log' && !this.#isCopied(via, file)) return;
    const decoy = file ?? 'environment';
    const key = `${decoy}\n${way.kind === 'host' ? way.host : way.kind}`;
    const known = this.#leaks.get(key) ?? this.#begin(key, way, decoy);
    if (known === null) return;
    if (known.events.length < mostEvidence) known.events.push(event);
    for (const encoding of listOf(event.fields.encodings)) known.encodings.add(rawText(encoding) ?? '?');
    known.isNamedSo &&= speaksOfSecrets.test(toolOfCall(event.call));
    if (!isVariable) return;
    const name = planted.slice('variable '.length);
    known.variables.add(name);
    known.hasForeign ||= this.#credentials.variables.includes(name);
  }

  #begin(key: string, way: Way, decoy: string): Leaked | null {
    if (this.#leaks.size >= mostLeaks) return null;
    const none: Leaked = {
      way,
      decoy,
      variables: new Set(),
      events: [],
      encodings: new Set(),
      hasForeign: false,
      isNamedSo: true,
    };
    this.#leaks.set(key, none);
    return none;
  }

  /** A call of ours led there: to the file, or to the host. */
  #isAskedFor(event: Event, way: Way, file: string | null): boolean {
    const { folders, givenPaths, trialHosts } = this.#context;
    const calls = this.#calls;
    const isNamed = file !== null && (calls.says(event, file) || isBelowAny(`${folders.home}/${file}`, givenPaths));
    if (isNamed || event.phase !== 'attack') return isNamed;
    if (way.kind === 'host') return isCovered(way.host, trialHosts) || calls.isHostNamed(way.host);
    // Output without a call is told again as a message with one.
    return (way.kind === 'client' || way.kind === 'output') && (calls.couldLead(event) || event.call === undefined);
  }

  /** The host is the one that the secret was made for, or a program sent it there on behalf of its user. */
  #isAtHome(event: Event, way: Way, file: string | null): boolean {
    if (way.kind !== 'host') return false;
    const vendor = rawText(event.fields.vendor) ?? '';
    const homes = this.#credentials.homes
      .filter(({ vendors }) => vendors.includes(vendor))
      .flatMap(({ hosts }) => hosts.flatMap((host) => (host === '{registry}' ? this.#context.registryHosts : host)));
    if (isCovered(way.host, homes)) return true;
    return (file === '.git-credentials' || file === '.netrc') && /^git-remote-https?$/.test(programOf(event));
  }

  /** In another file than the one it was planted in, and than one that replaces it. */
  #isCopied(via: string, file: string | null): boolean {
    if (!via.startsWith('file ')) return true;
    const path = pathText(Buffer.from(via.slice('file '.length), 'latin1').toString('utf8')) ?? '';
    return file === null || !path.startsWith(`${this.#context.folders.home}/${file}`);
  }

  findings(): readonly Finding[] {
    return [...this.#leaks.values()].flatMap((leak) => this.#judge(leak) ?? []);
  }

  #judge(leak: Leaked): Finding | null {
    const { way, decoy, variables, hasForeign } = leak;
    const isDump = variables.size > mostOwnVariables;
    const isFile = variables.size === 0;
    const isPrinted = way.kind === 'output' && !this.#hasCutAnswer;
    if (way.kind === 'output' && this.#leaks.has(`${decoy}\nclient`)) return null;
    if (way.kind === 'log' || isPrinted) return this.#tell(leak, logged, 'C');
    if (way.kind === 'client' || way.kind === 'output') {
      if (leak.isNamedSo) return this.#tell(leak, answered, 'C');
      return isFile || isDump || hasForeign ? this.#tell(leak, left, 'A') : this.#tell(leak, answered, 'C');
    }
    if (isFile || isDump || decoy !== 'environment') return this.#tell(leak, left, 'A');
    // What it was given on its own wish is its own to use; where to, the hosts it contacts tell.
    if (!hasForeign) return null;
    const isDeclared = way.kind === 'host' && isCovered(way.host, this.#context.declaredHosts);
    return isDeclared ? this.#tell(leak, elsewhere, 'C') : this.#tell(leak, left, 'A');
  }

  #tell({ way, decoy, variables, events, encodings }: Leaked, rule: RuleText, evidenceClass: 'A' | 'C'): Finding {
    const names = [...variables].toSorted();
    const what =
      names.length > mostOwnVariables
        ? `${names.length} variables of the environment`
        : names.length > 0
          ? `The variable ${names.join(' and ')}`
          : `The content of ${decoy}`;
    const where = {
      host: `went to ${way.kind === 'host' ? way.host : ''}`,
      client: 'came back in an answer',
      output: rule === logged ? 'was printed' : 'came back in an answer',
      log: 'was written to a log or a file',
      inside: 'was passed on',
    }[way.kind];
    const how = encodings.size === 0 ? '' : ` as ${[...encodings].slice(0, 6).join(' of ')}`;
    const verb = names.length > 1 ? where.replace(/^was /, 'were ') : where;
    return behaviourFinding(rule, {
      identity: [decoy, way.kind === 'host' ? way.host : way.kind],
      title: `${what} ${verb}${how}`,
      evidenceClass,
      attack: way.kind === 'host' ? ['T1041'] : ['T1552'],
      evidence: events.flatMap((event) => [
        eventEvidence(event, describeLeak(event)),
        ...readersOf(event).map((seq) => ({
          kind: 'event' as const,
          ref: `event:${seq}`,
          excerpt: { text: `${decoy} was read` },
        })),
      ]),
    });
  }
}

function readersOf({ fields }: Event): readonly number[] {
  return listOf(fields.readBy)
    .slice(0, 2)
    .flatMap((each) => numberOf(recordOf(each).seq) ?? []);
}

function describeLeak({ fields }: Event): string {
  const how = listOf(fields.encodings).map((each) => rawText(each) ?? '?');
  const label = `${rawText(fields.planted) ?? '?'} left via ${rawText(fields.via) ?? '?'}`;
  return `${label}${how.length === 0 ? '' : ` as ${how.join(' of ')}`}: ${rawText(fields.excerpt) ?? ''}`;
}

export const canaryLeft: Detector = {
  id: 'canary-left',
  title: 'Planted secrets that left',
  rules: [left, elsewhere, answered, logged],
  open: (context) => new CanaryLeft(context, readCredentials()),
};
