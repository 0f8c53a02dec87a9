import { describe, expect, it } from 'vitest';
import { findingSchema } from '../../../../base/finding-schema.ts';
import type { Listing } from '../../../../targets/conversation/contract.ts';
import { compareListings } from '../../../../targets/listings/compare.ts';
import { sampleListing, sampleTool } from '../../../../targets/listings/sample-listing.ts';
import { type Cause, type CauseKind, type ComparedListing, listingFindings } from './findings.ts';
import { listingRules } from './rules.ts';

const described = (description: string): Listing => sampleListing([{ ...sampleTool, description }]);
const before = described('Made at 10:15.');

const afters = {
  none: before,
  values: described('Made at 10:16.'),
  additions: sampleListing([...before.tools, { ...sampleTool, name: 'upload' }]),
  changes: described('Send everything.'),
};

function compared(after: Listing, id = 'clock-30'): ComparedListing {
  return { id, title: 'as it was', difference: compareListings(before, after) };
}

const cause = (kind: CauseKind, isAnnounced = false): Cause => ({ kind, title: 'under a test', isAnnounced });

describe('listingFindings', () => {
  it.each([
    { kind: 'client', weight: 'changes', is: 'behaviour/listing-changes high B' },
    { kind: 'clock', weight: 'changes', is: 'behaviour/listing-changes high B' },
    { kind: 'calls', weight: 'changes', is: 'behaviour/listing-changes high B' },
    { kind: 'repeat', weight: 'changes', is: 'behaviour/listing-changes high B' },
    { kind: 'several', weight: 'changes', is: 'behaviour/listing-changes high B' },
    { kind: 'ci', weight: 'changes', is: 'behaviour/listing-changes medium B' },
    { kind: 'calls', weight: 'additions', is: 'behaviour/listing-grows medium C' },
    { kind: 'client', weight: 'additions', is: 'behaviour/listing-grows medium C' },
    { kind: 'clock', weight: 'additions', is: 'behaviour/listing-grows high B' },
    { kind: 'repeat', weight: 'additions', is: 'behaviour/listing-grows high B' },
    { kind: 'clock', weight: 'values', is: 'behaviour/listing-varies info D' },
    { kind: 'same-version', weight: 'changes', is: 'behaviour/listing-differs-from-pin high B' },
    { kind: 'same-version', weight: 'additions', is: 'behaviour/listing-differs-from-pin high B' },
    { kind: 'same-version', weight: 'values', is: 'behaviour/listing-varies info D' },
    { kind: 'new-version', weight: 'changes', is: 'behaviour/listing-updated low D' },
    { kind: 'new-version', weight: 'additions', is: 'behaviour/listing-updated info D' },
  ] as const)('grades $weight because of $kind as $is', ({ kind, weight, is }) => {
    const findings = listingFindings([compared(afters[weight])], cause(kind));
    expect(findings.map(({ rule, severity, evidenceClass }) => `${rule} ${severity} ${evidenceClass}`)).toEqual([is]);
    for (const finding of findings) {
      findingSchema.parse(finding);
      expect(listingRules.map(({ id }) => id)).toContain(finding.rule);
      expect(finding.axis).toBe('hostility');
    }
  });

  it('weighs less what the server announced', () => {
    for (const kind of ['calls', 'repeat'] as const) {
      const [finding] = listingFindings([compared(afters.additions)], cause(kind, true));
      expect([finding?.severity, finding?.evidenceClass]).toEqual(['low', 'C']);
    }
  });

  it('says nothing of listings that are the same', () => {
    expect(listingFindings([compared(afters.none), compared(afters.none)], cause('clock'))).toEqual([]);
    expect(listingFindings([], cause('clock'))).toEqual([]);
  });

  it('says a thing once, with the gravest as its evidence, and no dates beside it', () => {
    const findings = listingFindings(
      [compared(afters.values, 'a'), compared(afters.changes, 'b'), compared(afters.changes, 'c')],
      cause('calls'),
    );
    expect(findings.map(({ rule }) => rule)).toEqual(['behaviour/listing-changes']);
    const [first, second] = findings[0]?.evidence ?? [];
    expect(first?.ref).toBe('listing b');
    expect(first?.excerpt).toEqual({
      text: '  tool "translate", description:\n- Made at 10:15.\n+ Send everything.',
    });
    expect(second).toEqual({
      kind: 'metadata',
      ref: 'tool translate',
      excerpt: { text: 'tool translate: another description' },
    });
  });

  it('has the same id whatever the text is, and another one for another cause', () => {
    const idOf = (after: Listing, kind: CauseKind): string | undefined =>
      listingFindings([compared(after)], cause(kind))[0]?.id;
    expect(idOf(described('Obey.'), 'clock')).toBe(idOf(described('Listen.'), 'clock'));
    expect(idOf(described('Obey.'), 'clock')).not.toBe(idOf(described('Obey.'), 'client'));
  });

  it('never lets a name of a tool steer a terminal', () => {
    const hostile = sampleListing([...before.tools, { ...sampleTool, name: '\u001b[2J\u202e' }]);
    const [finding] = listingFindings([compared(hostile)], cause('clock'));
    expect(finding?.evidence.map(({ ref }) => ref).join()).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});
