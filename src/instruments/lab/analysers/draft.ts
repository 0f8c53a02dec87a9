import type {
  AnalyserInput,
  AnalyserResult,
  Child,
  Facts,
  Json,
  LabEvidence,
  LabFinding,
  SampleText,
} from '../contract.ts';

/** A finding without its proof: one row of a table. */
export type FindingRule = Omit<LabFinding, 'evidence'>;

/** A result while it is being made. Everything has a cap, so that no sample decides how large a result grows. */
export interface Draft {
  fact(key: string, value: Json | undefined): void;
  finding(rule: FindingRule, where: string, text: string): void;
  text(label: string, text: string): void;
  child(name: string, bytes: Uint8Array, how: string): void;
  note(text: string): void;
}

const caps = {
  evidence: 10,
  excerptCharacters: 400,
  texts: 200,
  textCharacters: 8 * 1024 * 1024,
  children: 100,
  childBytes: 128 * 1024 * 1024,
  notes: 40,
};

export function excerpt(text: string, most: number = caps.excerptCharacters): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/** At most `most` of a list, and the total beside it where some were left out. */
export function capped(key: string, list: readonly Json[], most: number): Facts {
  return list.length <= most ? { [key]: list } : { [key]: list.slice(0, most), [`${key}_total`]: list.length };
}

interface Rooms {
  readonly facts: Record<string, Json>;
  readonly findings: Map<string, FindingRule & { evidence: LabEvidence[] }>;
  readonly texts: SampleText[];
  readonly children: Child[];
  readonly notes: Set<string>;
}

function makeDraft(rooms: Rooms): Draft {
  let characters = 0;
  let childBytes = 0;
  const note = (text: string): void => {
    if (rooms.notes.size < caps.notes) rooms.notes.add(text);
  };
  return {
    note,
    fact(key, value) {
      if (value !== undefined) rooms.facts[key] = value;
    },
    finding(rule, where, text) {
      const known = rooms.findings.get(rule.rule) ?? { ...rule, evidence: [] };
      rooms.findings.set(rule.rule, known);
      const proof = { where: excerpt(where, 200), text: excerpt(text) };
      if (known.evidence.length >= caps.evidence) return;
      if (!known.evidence.some((one) => one.where === proof.where && one.text === proof.text))
        known.evidence.push(proof);
    },
    text(label, text) {
      if (text.length === 0) return;
      if (rooms.texts.length >= caps.texts || characters >= caps.textCharacters)
        return note('more texts than are kept');
      const kept = text.slice(0, caps.textCharacters - characters);
      characters += kept.length;
      rooms.texts.push({ label, text: kept });
    },
    child(name, bytes, how) {
      if (bytes.length === 0) return;
      if (rooms.children.length >= caps.children || childBytes + bytes.length > caps.childBytes) {
        return note('more embedded files than are kept');
      }
      childBytes += bytes.length;
      rooms.children.push({ name: excerpt(name, 255), bytes, how });
    },
  };
}

/** Runs the work of an analyser. When the time is up, what was found until then is the result. */
export function draftResult(input: AnalyserInput, work: (draft: Draft, tick: () => void) => void): AnalyserResult {
  const rooms: Rooms = { facts: {}, findings: new Map(), texts: [], children: [], notes: new Set() };
  const draft = makeDraft(rooms);
  let timeIsUp = false;
  const tick = (): void => {
    try {
      input.tick();
    } catch (error) {
      timeIsUp = true;
      throw error;
    }
  };
  try {
    work(draft, tick);
  } catch (error) {
    if (!timeIsUp) throw error;
    rooms.notes.add('the time was up before everything was read');
  }
  return {
    facts: rooms.facts,
    findings: [...rooms.findings.values()],
    texts: rooms.texts,
    children: rooms.children,
    notes: [...rooms.notes],
  };
}
