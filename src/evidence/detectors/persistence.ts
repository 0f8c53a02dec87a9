import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { isBelowAny, programName, wordsOf, writtenPath } from './event-fields.ts';
import { runsScript } from './processes.ts';
import { anyOf, type PersistenceTable, readPersistence } from './rules-file.ts';

/** Writing where something will be run or obeyed later, when nobody looks. */

const rule: RuleText = {
  id: 'behaviour/persistence',
  title: 'Writes where it will be run again',
  severity: 'high',
  axis: 'hostility',
  cwe: ['CWE-506'],
  owasp: ['MCP04'],
  what: 'A start file of a shell, a table of cron, a unit, a login key, a hook, the settings of another client, or a program of that sort was written, or the attempt was made.',
  why: 'What stands there is run or obeyed later by others: it outlives the server, its removal and its box.',
  remediation: 'Do not run this server. Where it ran, look at the file that it wrote.',
  fires: 'node appends a line to ~/.bashrc.',
  silent: 'A setting is written to ~/.config/themes/theme; git init copies its sample hooks.',
};

type Place = PersistenceTable['places'][number];

interface Written {
  readonly what: string;
  readonly attack: string;
  readonly target: string;
  readonly events: Event[];
}

const mostWritten = 128;

class Persistence implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #table: PersistenceTable;
  readonly #anyPlace: RegExp;
  readonly #calls = new CallBook();
  readonly #written = new Map<string, Written>();

  constructor(context: DetectorContext, table: PersistenceTable) {
    this.#context = context;
    this.#table = table;
    this.#anyPlace = anyOf(table.places.map(({ pattern }) => pattern));
  }

  see(event: Event): void {
    if (event.kind === 'message') this.#calls.see(event);
    else if (event.kind === 'exec') this.#seeCommand(event);
    else {
      const path = writtenPath(event);
      if (path !== undefined) this.#seePath(path, event);
    }
  }

  #seeCommand(event: Event): void {
    if (event.outcome === 'failed') return;
    const command = wordsOf(event).join(' ').slice(0, 1000);
    for (const { id, what, pattern, attack } of this.#table.commands) {
      if (pattern.test(command) && !this.#calls.says(event, id)) this.#note({ what, attack, target: command }, event);
    }
  }

  #seePath(path: string, event: Event): void {
    if (!this.#anyPlace.test(path)) return;
    // Nothing was there, and nothing was made.
    if (event.outcome === 'failed' && event.fields.creates !== true) return;
    for (const place of this.#table.places) {
      if (!place.pattern.test(path) || place.unless?.test(path) === true) continue;
      if (this.#isOwnWork(place, path, event)) continue;
      this.#note({ what: place.what, attack: place.attack, target: path }, event);
    }
  }

  #isOwnWork({ programs = [], script }: Place, path: string, event: Event): boolean {
    const { ownFolders, givenPaths } = this.#context;
    const words = wordsOf(event);
    const base = path.slice(path.lastIndexOf('/') + 1);
    if (isBelowAny(path, ownFolders) || isBelowAny(path, givenPaths) || this.#calls.says(event, base)) return true;
    return programs.includes(programName(words[0] ?? '')) || (script !== undefined && runsScript(words, script));
  }

  #note({ what, attack, target }: Omit<Written, 'events'>, event: Event): void {
    const known = this.#written.get(target);
    if (known === undefined && this.#written.size >= mostWritten) return;
    const written = known ?? { what, attack, target, events: [] };
    this.#written.set(target, written);
    if (written.events.length < mostEvidence) written.events.push(event);
  }

  findings(): readonly Finding[] {
    const { home } = this.#context.folders;
    return [...this.#written.values()].map(({ what, attack, target, events }) => {
      const shown = target.startsWith(`${home}/`) ? `~${target.slice(home.length)}` : target;
      return behaviourFinding(rule, {
        identity: [shown],
        title: `Writes ${what}: ${shown}`,
        evidenceClass: 'B',
        attack: [attack],
        evidence: events.map((event) => eventEvidence(event, `${event.kind} ${target}`)),
      });
    });
  }
}

export const persistence: Detector = {
  id: 'persistence',
  title: 'Writing where things are run later',
  rules: [rule],
  open: (context) => new Persistence(context, readPersistence()),
};
