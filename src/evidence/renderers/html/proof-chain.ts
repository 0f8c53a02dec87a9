import type { Proof } from '../../../base/analysis-schema.ts';
import type { UntrustedJson } from '../../../base/event-schema.ts';
import type { Location } from '../../../base/finding-schema.ts';
import { placeText } from '../../words.ts';
import { arrow, type IconName, icon } from './icons.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';

/** A proof as a picture: one box per step with an arrow to the next, beside each other or below each other. */

const detailBytes = 900;
const mostBoxes = 12;

interface Box {
  readonly kind: IconName;
  readonly title: string;
  readonly detail: string | UntrustedJson;
  readonly event?: number;
}

function drawBox({ kind, title, detail, event }: Box, at: number): Markup {
  return markup`${at === 0 ? nothing : markup`<li class="to">${arrow}</li>`}<li class="step ${kind}"><div class="kind">${icon(kind)}<span>${kind}</span>${
    event === undefined ? nothing : markup`<span class="seq" title="its place in the log of events">#${event}</span>`
  }</div><strong>${title}</strong><code>${cut(detail, detailBytes)}</code></li>`;
}

function drawBoxes(boxes: readonly Box[]): Markup {
  return markup`<ol class="chain">${boxes.slice(0, mostBoxes).map(drawBox)}</ol>`;
}

export function proofChain({ steps }: Proof): Markup {
  return steps.length === 0 ? nothing : drawBoxes(steps);
}

/** The way of a value through the code. A long way is a list. */
export function sourceChain(locations: readonly Location[]): Markup {
  if (locations.length === 0) return nothing;
  const [only] = locations;
  if (locations.length === 1 && only !== undefined) {
    return markup`<p class="place"><code>${placeText(only)}</code> ${only.step ?? ''}</p>`;
  }
  if (locations.length <= 4) {
    return drawBoxes(
      locations.map((each) => ({ kind: 'source', title: each.step ?? 'then', detail: placeText(each) })),
    );
  }
  const steps = locations.map((each) => markup`<li><code>${placeText(each)}</code> ${each.step ?? ''}</li>`);
  return markup`<ol class="way">${steps}</ol>`;
}
