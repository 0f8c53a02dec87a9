import { randomBytes } from 'node:crypto';
import { forModel, forTerminal, untrusted } from '../../base/untrusted.ts';
import type { AnswerPart } from './answer.ts';
import { cutBytes } from './collector.ts';

/** An answer as a model reads it: words of ours as they are, text of a target fenced, labelled and spelled out. */

const wholeBytes = Number.MAX_SAFE_INTEGER;

/** A fence that nobody could write before the answer was made. */
function newMark(): string {
  return randomBytes(6).toString('hex');
}

/** Words of ours need no fence, and most small answers have nothing else. */
function markFor(parts: readonly AnswerPart[]): string {
  return parts.some(({ kind }) => kind === 'quoted') ? newMark() : '';
}

function show(part: AnswerPart, mark: string): string {
  if (part.kind === 'said') return forTerminal(untrusted(part.text, wholeBytes), { keepLines: true });
  return forModel(untrusted(part.text, wholeBytes), forTerminal(untrusted(part.label, 200)), mark);
}

/** As it is kept in a file: nothing is altered, and what came from a target stands between lines that say so. */
export function writeParts(parts: readonly AnswerPart[]): string {
  const mark = newMark();
  return parts
    .map((part) =>
      part.kind === 'said'
        ? `${part.text}\n`
        : `[${mark} untrusted: ${forTerminal(untrusted(part.label, 200))}]\n${part.text}\n[${mark} end]\n`,
    )
    .join('\n');
}

export interface ShownText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The fence and the label around a part, at most. */
const frameBytes = 400;
/** A sliver of a text says less than that it is not there. */
const leastShownBytes = 64;

/** What spelling out makes of a text is longer than the text; the cut is looked for until it fits. */
function showCut(part: AnswerPart, room: number, mark: string): string | null {
  for (let most = room - frameBytes; most >= leastShownBytes; most = Math.floor(most / 2)) {
    const kept = cutBytes(part.text, most);
    const left = Buffer.byteLength(part.text) - Buffer.byteLength(kept);
    const shown = `${show({ ...part, text: kept }, mark)}\n[${left} bytes of this are left out here]`;
    if (Buffer.byteLength(shown) <= room) return shown;
  }
  return null;
}

/** As many parts, in their order, as the budget has room for; one that does not fit is cut, and says so. */
export function showParts(parts: readonly AnswerPart[], budgetBytes: number, mark = markFor(parts)): ShownText {
  const texts: string[] = [];
  let room = budgetBytes;
  for (const part of parts) {
    // Spelling out makes nothing shorter: what is too long as it is need not be spelled out to know it.
    const whole = Buffer.byteLength(part.text) <= room ? show(part, mark) : null;
    const size = whole === null ? Number.POSITIVE_INFINITY : Buffer.byteLength(whole) + 2;
    if (whole !== null && size <= room) {
      texts.push(whole);
      room -= size;
      continue;
    }
    const cut = showCut(part, room - 2, mark);
    return { text: [...texts, ...(cut === null ? [] : [cut])].join('\n\n'), isCut: true };
  }
  return { text: texts.join('\n\n'), isCut: false };
}
