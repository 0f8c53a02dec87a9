import { brief, type Markup, markup, nothing } from '../../../../evidence/renderers/html/markup.ts';
import { section } from '../../../../evidence/renderers/html/pieces.ts';
import type { LabReport } from '../schema.ts';
import { hexLines } from '../words.ts';

/** Disorder from the begin of a file to its end: text lies below 5, code near 6, what is packed or encrypted near 8. */
function bars(entropy: readonly number[]): Markup {
  const width = 100 / entropy.length;
  const drawn = entropy.map((bits, at) => {
    const height = (bits / 8) * 100;
    const tone = bits >= 7.2 ? 'top' : bits >= 6.2 ? 'mid' : 'low';
    const left = (at * width).toFixed(3);
    return markup`<rect class="${tone}" x="${left}" y="${(100 - height).toFixed(2)}" width="${Math.max(0.05, width * 0.92).toFixed(3)}" height="${height.toFixed(2)}"><title>${`part ${at + 1} of ${entropy.length}: ${bits} bits`}</title></rect>`;
  });
  return markup`<svg class="entropy" viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="entropy of the parts of the file">${drawn}<line x1="0" x2="100" y1="10" y2="10" vector-effect="non-scaling-stroke"/></svg>`;
}

interface Stretch {
  readonly name: string;
  readonly from: number;
  readonly size: number;
}

const mostStretches = 24;

/** Sections as programs have them; where they overlap or lie outside, the first one counts. */
export function stretchesOf({ analysers, file }: Pick<LabReport, 'analysers' | 'file'>): readonly Stretch[] {
  const sections = analysers.flatMap(({ facts }) => (Array.isArray(facts.sections) ? facts.sections : []));
  const found = sections.flatMap((each): readonly Stretch[] => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return [];
    const { name, raw_offset: raw, offset = raw, raw_size: rawSize, size = rawSize } = each;
    const isPlaced = typeof name === 'string' && Number.isSafeInteger(offset) && Number.isSafeInteger(size);
    if (!isPlaced || Number(offset) < 0 || Number(size) <= 0 || Number(offset) + Number(size) > file.size_bytes)
      return [];
    return [{ name, from: Number(offset), size: Number(size) }];
  });
  const placed: Stretch[] = [];
  for (const each of found.toSorted((left, right) => left.from - right.from)) {
    const end = placed.at(-1);
    if (end === undefined || each.from >= end.from + end.size) placed.push(each);
  }
  // Slivers that cannot be seen say nothing.
  return placed.filter(({ size }) => size * 100 >= file.size_bytes).slice(0, mostStretches);
}

function marks(report: LabReport): Markup {
  const stretches = stretchesOf(report);
  if (stretches.length === 0) return nothing;
  const whole = report.file.size_bytes;
  const share = (bytes: number): string => ((bytes / whole) * 100).toFixed(3);
  const drawn = stretches.map(
    ({ name, from, size }) =>
      markup`<span style="left:${share(from)}%;width:${share(size)}%" title="${brief(name, 60)}">${brief(name, 30)}</span>`,
  );
  return markup`<div class="stretches">${drawn}</div>`;
}

export function pictureSection(report: LabReport): Markup {
  const { entropy, head } = report.picture;
  if (entropy.length === 0) return nothing;
  const lines = hexLines(head).join('\n');
  return section(
    'picture',
    'Picture',
    markup`<figure><figcaption>Disorder from the first byte to the last: text is low, code in the middle, what is packed or encrypted reaches the line</figcaption>${bars(entropy)}${marks(report)}</figure><figure><figcaption>The first bytes</figcaption><pre class="hexadecimal">${lines}</pre></figure>`,
  );
}
