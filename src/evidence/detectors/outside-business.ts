import type { Event } from '../../base/event-schema.ts';
import type { Finding } from '../../base/finding-schema.ts';
import type { Detector, DetectorContext, OpenDetector } from '../detector.ts';
import type { RuleText } from '../rule-text.ts';
import { behaviourFinding, eventEvidence, mostEvidence } from './behaviour-finding.ts';
import { CallBook } from './calls.ts';
import { isBelow, isBelowAny, isWriting, pathText, programOf } from './event-fields.ts';
import { anyOf, type PlaceTable, readPlaces } from './rules-file.ts';

/** Files and sockets that are nobody's business but their owner's. */

const rule: RuleText = {
  id: 'behaviour/outside-business',
  title: 'Touches what is not its business',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-552'],
  owasp: ['MCP02'],
  what: 'A file or socket was opened that no ordinary program needs and no call named: the socket of a container engine, variables or memory of other processes, profiles of browsers, stores of passwords, homes of others.',
  why: 'It leads to more than the server was given.',
  remediation: 'Run the server in a box that does not show it. Ask the authors what it is for.',
  fires: 'python3 server.py opens /proc/812/environ.',
  silent: 'node opens /etc/passwd, /proc/self/maps and its own settings.',
};

type Place = PlaceTable['places'][number];

interface Touched {
  readonly place: Place;
  readonly path: string;
  readonly events: Event[];
}

function touchedPath({ kind, fields }: Event): string | undefined {
  if (kind === 'open') return fields.access === 'none' ? undefined : pathText(fields.path);
  return kind === 'connect' && fields.family === 'unix' ? pathText(fields.path) : undefined;
}

class OutsideBusiness implements OpenDetector {
  readonly #context: DetectorContext;
  readonly #table: PlaceTable;
  readonly #anyPlace: RegExp;
  readonly #calls = new CallBook();
  readonly #touched = new Map<string, Touched>();

  constructor(context: DetectorContext, table: PlaceTable) {
    this.#context = context;
    this.#table = table;
    this.#anyPlace = anyOf(table.places.map(({ pattern }) => pattern));
  }

  see(event: Event): void {
    if (event.kind === 'message') this.#calls.see(event);
    if (event.phase === 'attack') return;
    const path = touchedPath(event);
    if (path === undefined || !this.#anyPlace.test(path)) return;
    for (const place of this.#table.places) {
      if (place.pattern.test(path) && this.#isStrange(place, path, event)) this.#note(place, path, event);
    }
  }

  #isStrange({ attempt, programs, isWrite, isOtherHome }: Place, path: string, event: Event): boolean {
    const { folders, ownFolders, givenPaths, argv } = this.#context;
    if (!attempt && (event.outcome === 'failed' || event.outcome === 'denied')) return false;
    if (isWrite === true && !isWriting(event)) return false;
    const own = [folders.work, folders.tmp, ...ownFolders, ...givenPaths];
    if (isBelowAny(path, own) || this.#calls.says(event, path)) return false;
    // The folders on the way to one's own files are looked at, not touched.
    if (isOtherHome === true && (isBelow(path, folders.home) || own.some((folder) => isBelow(folder, path))))
      return false;
    if (isOtherHome === true && (event.fields.isFolder === true || argv.some((word) => isBelow(path, word))))
      return false;
    return !programs.includes(programOf(event));
  }

  #note(place: Place, path: string, event: Event): void {
    const known = this.#touched.get(place.id) ?? { place, path, events: [] };
    this.#touched.set(place.id, known);
    if (known.events.length < mostEvidence) known.events.push(event);
  }

  findings(): readonly Finding[] {
    return [...this.#touched.values()].map(({ place, path, events }) =>
      behaviourFinding(rule, {
        identity: [place.id],
        title: `Touches ${place.what}: ${path}`,
        evidenceClass: 'C',
        severity: place.severity,
        attack: ['T1083'],
        evidence: events.map((event) => eventEvidence(event, `${event.kind} ${touchedPath(event) ?? ''}`)),
      }),
    );
  }
}

export const outsideBusiness: Detector = {
  id: 'outside-business',
  title: 'Files and sockets outside of its business',
  rules: [rule],
  open: (context) => new OutsideBusiness(context, readPlaces()),
};
