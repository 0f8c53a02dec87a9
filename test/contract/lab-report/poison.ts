import type { LabReport } from '../../../src/instruments/lab/report/schema.ts';

/** The same report with another text wherever a sample, a tool or a name could have put one. */

/** Fields whose values are words of ours, hashes or moments. */
const ours: ReadonlySet<string> = new Set([
  'format',
  'severity',
  'evidence_type',
  'status',
  'depth',
  'mode',
  'sha256',
  'sha1',
  'md5',
  'sha256_before',
  'sha256_after',
  'parent',
  'started_at',
  'at',
]);

interface Way {
  readonly text: string;
  /** Whether the names of facts are the sample's as well. */
  readonly withKeys: boolean;
}

function poisonAt(value: unknown, key: string, isFact: boolean, way: Way): unknown {
  if (typeof value === 'string') return !isFact && ours.has(key) ? value : way.text;
  if (Array.isArray(value)) return value.map((each) => poisonAt(each, key, isFact, way));
  if (typeof value !== 'object' || value === null) return value;
  const isBelow = isFact || key === 'facts' || key === 'event_counts';
  // The kind of a file is chosen from a list; its words are ours, and are tried all the same.
  if (key === 'kind') return { ...value, title: way.text, mime: way.text };
  const entries = Object.entries(value).map(([name, each], at): [string, unknown] => [
    isBelow && way.withKeys ? `${way.text}${at}` : name,
    poisonAt(each, name, isBelow, way),
  ]);
  return Object.fromEntries(entries);
}

export function poisonReport(report: LabReport, text: string, withKeys: boolean): LabReport {
  return poisonAt(report, '', false, { text, withKeys }) as LabReport;
}

export const poisons = [
  {
    is: 'markup',
    text: '</script></style></title><img src=x onerror=alert(1)><svg onload=alert(1)><script>alert(1)</script>',
  },
  { is: 'attributes', text: '" onmouseover="alert(1)" autofocus style="position:fixed;left:0' },
  { is: 'style', text: '}</style><style>@import url(http://127.0.0.1:9/x);*{background:url(http://127.0.0.1:9/y)}' },
  { is: 'addresses', text: 'javascript:alert(1)' },
  {
    is: 'Markdown',
    text: '](http://127.0.0.1:9) ![x](http://127.0.0.1:9/p) `code` **b** | cell |\n# head\n```\nfence\n```\n<b>@somebody',
  },
  { is: 'a terminal', text: '\u001b[2J\u001b]0;title\u0007\u009b31m\r\nover\u0008\u007f' },
  { is: 'what cannot be seen', text: `\u0000\u202e\u2066\u200b\ufeff\u2028${'\u0301'.repeat(200)}` },
  { is: 'halves of characters', text: '\ud800 \udc00' },
  { is: 'long words', text: 'W'.repeat(3000) },
  { is: 'long words of another script', text: '\u05d0'.repeat(1500) },
  { is: 'long gaps', text: `photo.jpg${' '.repeat(200)}.js` },
  { is: 'many lines', text: 'line\n'.repeat(400) },
  { is: 'a pattern', text: "'] OR [file:name = 'x\\" },
  { is: 'names that every object has', text: 'constructor' },
  { is: 'the name above every object', text: '__proto__' },
  { is: 'nothing', text: '' },
] as const;
