import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { rawText, wordsOf } from './event-fields.ts';
import { contactsOf, isCovered } from './hosts.ts';
import { type ProgramTable, readPrograms } from './rules-file.ts';

/** Work for somebody else's purse. */

const rule: RuleText = {
  id: 'behaviour/mining',
  title: 'Mines for a currency',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-506', 'CWE-400'],
  owasp: ['MCP04'],
  what: 'A program with the name or the options of a miner was started, a pool of miners was contacted, or the protocol between them was spoken.',
  why: 'It uses up the machine of whoever installed the server.',
  remediation: 'Do not run this server.',
  fires: 'xmrig -o stratum+tcp://pool.example:3333 is started.',
  silent: 'A tool that tells the price of a currency asks an exchange.',
};

interface Sign {
  readonly what: string;
  readonly event: Event;
}

class Mining implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #table: ProgramTable['mining'];
  readonly #calls = new CallBook();
  readonly #signs = new Map<string, Sign>();

  constructor(context: DetectorContext, table: ProgramTable['mining']) {
    this.#context = context;
    this.#table = table;
  }

  see(event: Event): void {
    if (event.kind === 'message') this.#calls.see(event);
    else if (event.kind === 'exec') this.#seeStart(event);
    else this.#seeContact(event);
  }

  #seeStart(event: Event): void {
    const words = wordsOf(event);
    const [found] = this.#table.commands.exec(words.join(' ').slice(0, 4000)) ?? [];
    if (found === undefined || event.outcome === 'failed') return;
    // A command that only speaks of one, because our call did.
    if (!this.#calls.says(event, found.trim())) this.#note(`a program that mines (${found.trim()})`, event);
  }

  #seeContact(event: Event): void {
    const pool = contactsOf(event).find(({ host }) => isCovered(host, this.#table.hosts));
    const isNamed = ({ host }: { readonly host: string }): boolean =>
      this.#calls.isHostNamed(host) || isCovered(host, this.#context.declaredHosts);
    if (pool !== undefined && !isNamed(pool)) this.#note(`a pool of miners (${pool.host})`, event);
    if (event.kind !== 'raw-bytes' && event.kind !== 'http-request') return;
    if (this.#table.messages.test(rawText(event.fields.bytes) ?? '')) this.#note('the protocol of miners', event);
  }

  #note(what: string, event: Event): void {
    if (this.#signs.size < 16 && !this.#signs.has(what)) this.#signs.set(what, { what, event });
  }

  findings(): readonly Finding[] {
    const signs = [...this.#signs.values()];
    const [first] = signs;
    if (first === undefined) return [];
    return [
      behaviourFinding(rule, {
        identity: [],
        title: `Mines for a currency: ${first.what}`,
        evidenceClass: 'B',
        attack: ['T1496'],
        evidence: signs.map(({ what, event }) => eventEvidence(event, what)),
      }),
    ];
  }
}

export const mining: Detector = {
  id: 'mining',
  title: 'Mining',
  rules: [rule],
  open: (context) => new Mining(context, readPrograms().mining),
};
