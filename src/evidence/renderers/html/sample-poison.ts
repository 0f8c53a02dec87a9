/** For tests: the same document with another text wherever a target, a registry or a user could have put one. */

/** Fields whose values are words of ours, by which a document is told apart or drawn. */
const ours: ReadonlySet<string> = new Set([
  'access',
  'axis',
  'backend',
  'band',
  'diedAt',
  'evidenceClass',
  'finding',
  'format',
  'is',
  'kind',
  'mode',
  'phase',
  'phases',
  'severity',
  'startedAt',
  'transport',
  'answers',
  'id',
  'bom-ref',
  'ref',
]);

/** Records whose keys come from outside. */
const chosen: ReadonlySet<string> = new Set(['annotations', 'facts']);

export function poison<T>(document: T, text: string): T {
  return poisonAt(document, text, '') as T;
}

function poisonAt(value: unknown, text: string, key: string): unknown {
  if (typeof value === 'string') return ours.has(key) ? value : text;
  if (Array.isArray(value)) return value.map((each) => poisonAt(each, text, key));
  if (typeof value !== 'object' || value === null) return value;
  // Names are a target's own choice here.
  if (chosen.has(key)) return Object.fromEntries(Object.entries(value).map(([, each]) => [text, each]));
  // The axes of a verdict name findings by their ids.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'because' && 'label' in value ? each : poisonAt(each, text, name),
    ]),
  );
}

/** Every tag of a document with the names of its attributes, in order: whatever a text added would be among them. */
export function skeleton(html: string): readonly string[] {
  return [...html.matchAll(/<!?\/?[a-z][^>]*>/gi)].map(([tag]) =>
    tag
      .replace(/="[^"]*"/g, '=')
      .replace(/\s+/g, ' ')
      .toLowerCase(),
  );
}
