import type { Event } from '../../../base/event-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import { sortPath } from '../../../engine/sensor/history/index.ts';
import { eventEvidence } from '../../../evidence/detectors/behaviour-finding.ts';
import { isBelowAny, pathText, writtenPath } from '../../../evidence/detectors/event-fields.ts';
import { contactsOf } from '../../../evidence/detectors/hosts.ts';
import type { RuleText } from '../../../evidence/rule-text.ts';
import type { ListedTool } from '../../../targets/conversation/contract.ts';
import { makeFinding } from '../inspect/rule.ts';

/** What the honest calls of each tool did, and whether its annotations told the truth about it. */

export const annotationRule: RuleText = {
  id: 'behaviour/annotation-contradicted',
  title: 'An annotation says other than what the tool did',
  severity: 'medium',
  axis: 'hostility',
  cwe: ['CWE-451'],
  owasp: ['MCP03', 'MCP02'],
  what: 'During an honest call a tool wrote files although readOnlyHint is true, used the network although openWorldHint is false, or removed files although destructiveHint is false. Scratch files, caches and logs do not count.',
  why: 'Clients run tools without asking when they call themselves harmless.',
  remediation: 'Do not let annotations of this server decide about confirmation.',
  fires: 'get_note with readOnlyHint: true writes ~/notes/index.json.',
  silent: 'get_note with readOnlyHint: true writes /tmp/cache.json.',
};

export interface ToolPlaces {
  readonly tmp: string;
  /** Where the target and its dependencies lie. */
  readonly ownFolders: readonly string[];
}

export interface ToolUse {
  readonly observed: readonly string[];
  readonly contradicted: readonly string[];
}

export interface ToolBehaviour {
  readonly byTool: ReadonlyMap<string, ToolUse>;
  readonly findings: readonly Finding[];
}

type Deed = 'reads files' | 'writes files' | 'starts programs' | 'uses the network' | 'removes files';
type Deeds = Map<Deed, Event[]>;

const mostKept = 4;
/** As the tap names calls. */
const callPattern = /^[^:]*:tools\/call:(.+)$/;
const scratch =
  /\/\.?cache\/|\/__pycache__\/|\.pyc(?:\.\d+)?$|\.log(?:\.\d+)?$|\/logs?\/|\.lock$|-(?:journal|wal|shm)$|\.tmp$|\/\.npm\/|^\/(?:var\/)?tmp\/|^\/dev\/|^\/proc\//;
const local = /^(?:127\.|::1$|0\.0\.0\.0$|localhost$|10\.200\.0\.1$)/;

function nameInCall(name: string): string {
  return name.replace(/[^\w./:-]/g, '?').slice(0, 64);
}

function isDone({ outcome }: Event): boolean {
  return outcome !== 'failed' && outcome !== 'denied';
}

function isScratch(path: string, places: ToolPlaces): boolean {
  return scratch.test(path) || isBelowAny(path, [places.tmp]);
}

function readsFile({ kind, fields }: Event, places: ToolPlaces): boolean {
  const path =
    kind === 'open' && fields.access === 'read' && fields.isFolder !== true ? pathText(fields.path) : undefined;
  return (
    path !== undefined && sortPath(path) === 'own' && !isBelowAny(path, places.ownFolders) && !path.startsWith('/etc/')
  );
}

function writesFile(event: Event, places: ToolPlaces): boolean {
  // A database is opened for both, whatever is asked of it.
  if (event.kind === 'open' && event.fields.creates !== true && event.fields.truncates !== true) return false;
  const path = event.kind === 'disk-change' ? undefined : writtenPath(event);
  return path !== undefined && !isScratch(path, places);
}

function removesFile({ kind, fields }: Event, places: ToolPlaces): boolean {
  const path = kind === 'unlink' ? pathText(fields.path) : undefined;
  return path !== undefined && !isScratch(path, places);
}

const deeds: Readonly<Record<Deed, (event: Event, places: ToolPlaces) => boolean>> = {
  'reads files': readsFile,
  'writes files': writesFile,
  'removes files': removesFile,
  'starts programs': ({ kind }) => kind === 'exec',
  'uses the network': (event) => contactsOf(event).some(({ host }) => !local.test(host)),
};

/** What contradicts which hint, when it has this value. */
const contradictions: readonly { readonly hint: string; readonly is: boolean; readonly deeds: readonly Deed[] }[] = [
  { hint: 'readOnlyHint', is: true, deeds: ['writes files', 'removes files'] },
  { hint: 'openWorldHint', is: false, deeds: ['uses the network'] },
  { hint: 'destructiveHint', is: false, deeds: ['removes files'] },
];

function gather(event: Event, own: Deeds, places: ToolPlaces): void {
  for (const deed of Object.keys(deeds) as Deed[]) {
    const known = own.get(deed);
    if ((known?.length ?? 0) >= mostKept || !deeds[deed](event, places)) continue;
    own.set(deed, [...(known ?? []), event]);
  }
}

export async function toolBehaviour(
  events: AsyncIterable<Event> | Iterable<Event>,
  tools: readonly Pick<ListedTool, 'name' | 'annotations'>[],
  places: ToolPlaces,
): Promise<ToolBehaviour> {
  const byCallName = new Map<string, Deeds>(tools.map(({ name }) => [nameInCall(name), new Map()]));
  for await (const event of events) {
    if (event.phase !== 'use' || event.call === undefined || !isDone(event)) continue;
    const own = byCallName.get(callPattern.exec(event.call)?.[1] ?? '');
    if (own !== undefined) gather(event, own, places);
  }
  const byTool = new Map<string, ToolUse>();
  const findings: Finding[] = [];
  for (const { name, annotations = {} } of tools) {
    const own: Deeds = byCallName.get(nameInCall(name)) ?? new Map();
    const against = contradictions.flatMap(({ hint, is, deeds: forbidden }) => {
      const seen = annotations[hint] === is ? forbidden.filter((deed) => own.has(deed)) : [];
      return seen.length === 0 ? [] : [{ hint: `${hint}: ${is}`, seen }];
    });
    findings.push(...against.map(({ hint, seen }) => contradiction(name, hint, seen, own)));
    byTool.set(name, { observed: [...own.keys()], contradicted: against.map(({ hint }) => hint) });
  }
  return { byTool, findings };
}

function contradiction(tool: string, hint: string, seen: readonly Deed[], own: Deeds): Finding {
  return makeFinding(annotationRule, {
    identity: [tool, hint],
    title: `Tool "${tool}" has ${hint}, and ${seen.join(' and ')}`,
    evidenceClass: 'C',
    evidence: seen
      .flatMap((deed) => (own.get(deed) ?? []).map((event) => eventEvidence(event, `${deed}: ${placeOf(event)}`)))
      .slice(0, 8),
  });
}

function placeOf(event: Event): string {
  return writtenPath(event) ?? pathText(event.fields.path) ?? contactsOf(event)[0]?.host ?? event.kind;
}
