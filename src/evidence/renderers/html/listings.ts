import type { Analysis, ListingComparison } from '../../../base/analysis-schema.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { chip, section } from './pieces.ts';

/** Whether it offers the same to everybody, every time. */

const lineBytes = 400;
const mostLines = 160;
const signs = { removed: '-', added: '+', same: ' ' } as const;

function drawDifference({ difference }: ListingComparison): Markup {
  const lines = difference
    .slice(0, mostLines)
    .map(({ is, text }) => markup`<span class="${is}"><i>${signs[is]}</i>${cut(text, lineBytes)}</span>`);
  const more = difference.length - lines.length;
  return markup`<div class="difference">${lines}${more > 0 ? markup`<span class="same">… ${more} lines more</span>` : nothing}</div>`;
}

export function listingsSection({ listings }: Analysis, prefix: string): Markup {
  if (listings.length === 0) return nothing;
  const same = listings.filter(({ isSame }) => isSame);
  const different = listings.filter(({ isSame }) => !isSame);
  const drawn = different.map(
    (listing) =>
      markup`<div class="listing"><p>${chip('different', 'high')} <b>${listing.title}</b></p>${drawDifference(listing)}</div>`,
  );
  const equal =
    same.length === 0
      ? nothing
      : markup`<p>${chip('the same', 'good')} ${same.map(({ title }) => markup`<span class="item">${title}</span>`)}</p>`;
  return section(`${prefix}-listings`, 'The same for everybody?', markup`${drawn}${equal}`);
}
