import type { Random } from '../random.ts';

/** What passes all day and is no leak, made from a seed: prose, source code, and pages with images in them. */
export const ordinaryKinds = ['prose', 'source', 'images'] as const;
export type OrdinaryKind = (typeof ordinaryKinds)[number];

const words =
  `the of and to in is you that it he was for on are as with his they at be this have from or one had by word but not
  what all were we when your can said there use an each which she do how their if will up other about out many then
  them these so some her would make like him into time has look two more write go see number no way could people my
  than first water been call who oil its now find long down day did get come made may part configuration government
  information development management organisation environment understanding responsibilities internationalisation`
    .trim()
    .split(/\s+/);

const lines = [
  'export function readConfiguration(path: string, options: ReadOptions = {}): Promise<Configuration> {\n',
  '  const response = await fetch(`https://api.example.com/v2/items?limit=100&offset=${offset}`);\n',
  '  if (typeof value !== \'string\' || value.length === 0) throw new TypeError("expected \\"text\\"\\n");\n',
  '  return Object.entries(table).map(([key, value]) => ({ key, value: value ?? null }));\n',
  '#define MAX_BUFFER_SIZE (64 * 1024) /* bytes */\n',
  '    for (size_t i = 0; i < n && p[i] != 0; i++) sum = (sum << 5) ^ (sum >> 27) ^ p[i];\n',
  '<a href="/search?q=caf%C3%A9&amp;page=2" title="Tom &amp; Jerry&#39;s">&lt;more&gt;</a>\n',
  '  "integrity": "sha512-',
  '// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion\n',
  '}\n\n',
];

function prose(random: Random): string {
  return `${[...random.bytes(4000)].map((byte) => words[byte % words.length]).join(' ')}.\n`;
}

function source(random: Random): string {
  return [...random.bytes(400)]
    .map((byte) => {
      const line = lines[byte % lines.length] ?? '';
      return line.endsWith('-') ? `${line}${random.bytes(64).toString('base64')}",\n` : line;
    })
    .join('');
}

function images(random: Random): string {
  return `<img alt="" src="data:image/png;base64,iVBORw0KGgo${random.bytes(40_000).toString('base64')}">\n`;
}

const makers: Readonly<Record<OrdinaryKind, (random: Random) => string>> = { prose, source, images };

/** At least `sizeBytes` of one kind, piece by piece. */
export function* ordinaryTraffic(kind: OrdinaryKind, sizeBytes: number, random: Random): Generator<Buffer> {
  for (let made = 0; made < sizeBytes; ) {
    const piece = Buffer.from(makers[kind](random));
    made += piece.length;
    yield piece;
  }
}
