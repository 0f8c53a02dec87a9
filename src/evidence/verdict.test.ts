import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Axis,
  axes,
  type EvidenceClass,
  evidenceClasses,
  type Finding,
  findingId,
  severities,
} from '../base/finding-schema.ts';
import { verdictSchema } from '../base/verdict-schema.ts';
import { readRubric } from './rubric.ts';
import { judge } from './verdict.ts';

const rubric = readRubric();
const coverage = { tools: { exercised: 1, all: 1 }, parameters: { tried: 1, all: 1 }, phases: ['use'], missing: [] };

function finding(
  evidenceClass: EvidenceClass,
  severity: Finding['severity'],
  axis: Axis = 'hostility',
  number = 0,
): Finding {
  return {
    id: findingId('a/b', [evidenceClass, severity, axis, String(number)]),
    rule: 'a/b',
    title: 'x',
    severity,
    axis,
    evidenceClass,
    cwe: [],
    owasp: [],
    locations: [],
    evidence: [],
    remediation: `mend ${axis}`,
  };
}

const rows = (['A', 'B', 'C', 'D'] as const).flatMap((evidenceClass) =>
  severities.map((severity) => ({ evidenceClass, severity, score: rubric.scores[evidenceClass][severity] })),
);
const bands = { A: 'fails', B: 'warns', C: 'warns', D: 'passes' } as const;

describe('the rubric', () => {
  it.each(rows)(
    '$evidenceClass $severity is $score, in the band of its class',
    ({ evidenceClass, severity, score }) => {
      const verdict = judge([finding(evidenceClass, severity)], coverage, true, rubric);
      expect(verdict.risk).toBe(score);
      expect(verdict.band).toBe(severity === 'info' ? 'passes' : bands[evidenceClass]);
    },
  );

  it('keeps the classes apart: the least of one is above the most of the next', () => {
    const classes = ['A', 'B', 'C', 'D'] as const;
    for (const [at, higher] of classes.slice(0, -1).entries()) {
      const lower = classes[at + 1] ?? 'D';
      const { info: _, ...weighed } = rubric.scores[higher];
      expect(Math.min(...Object.values(weighed))).toBeGreaterThan(Math.max(...Object.values(rubric.scores[lower])));
    }
  });

  it.each(
    axes.flatMap((axis) =>
      (['A', 'B', 'C', 'D'] as const).map((each) => ({ axis, each, label: rubric.labels[axis][each] })),
    ),
  )('$axis of class $each is called $label, and no other axis is touched', ({ axis, each, label }) => {
    const verdict = judge([finding(each, 'high', axis)], coverage, true, rubric);
    for (const other of axes)
      expect(verdict.axes[other].label).toBe(other === axis ? label : rubric.labels[other].none);
  });
});

describe('a verdict', () => {
  it('is inconclusive, never clean, when not everything was seen', () => {
    const verdict = judge([], coverage, false, rubric);
    expect(verdict).toMatchObject({ risk: null, band: 'unknown' });
    for (const axis of axes) expect(verdict.axes[axis].label).toBe('inconclusive');
  });

  it.each(['A', 'B'] as const)('of class %s stands although not everything was seen', (each) => {
    const verdict = judge([finding(each, 'high')], coverage, false, rubric);
    expect(verdict.axes.hostility.label).toBe(rubric.labels.hostility[each]);
    expect(verdict.axes.weakness.label).toBe('inconclusive');
    expect(verdict.risk).toBe(rubric.scores[each].high);
  });

  it.each(axes)('leaves %s open where it could not be looked at, and only that', (axis) => {
    const verdict = judge([], coverage, true, rubric, [axis]);
    for (const other of axes)
      expect(verdict.axes[other].label).toBe(other === axis ? rubric.unknown : rubric.labels[other].none);
    expect(verdict).toMatchObject({ risk: 0, band: 'passes', isComplete: true });
  });

  it.each([
    { each: 'A', isOpen: false },
    { each: 'B', isOpen: false },
    { each: 'C', isOpen: true },
    { each: 'D', isOpen: true },
  ] as const)('of class $each on an axis that could not be looked at stays open: $isOpen', ({ each, isOpen }) => {
    const own = finding(each, 'high', 'exposure');
    const { label, because } = judge([own], coverage, true, rubric, ['exposure']).axes.exposure;
    expect(label).toBe(isOpen ? rubric.unknown : rubric.labels.exposure[each]);
    expect(because).toEqual([own.id]);
  });

  it('does not become worse by many hints', () => {
    const many = Array.from({ length: 500 }, (_, number) => finding('D', 'high', 'hostility', number));
    expect(judge(many, coverage, true, rubric).risk).toBe(rubric.scores.D.high);
  });

  it('takes nothing from what is unknown', () => {
    expect(judge([finding('U', 'critical')], coverage, true, rubric)).toMatchObject({ risk: 0, band: 'passes' });
  });

  it('names the findings that its recommendations answer', () => {
    const all = [finding('A', 'high'), finding('D', 'low', 'weakness')];
    const { recommendations } = judge(all, coverage, true, rubric);
    expect(recommendations.map(({ text, answers }) => [text, answers.length])).toEqual([
      ['mend hostility', 1],
      ['mend weakness', 1],
    ]);
  });

  it('is valid, and no finding ever makes it better', () => {
    const any = fc.tuple(
      fc.constantFrom(...evidenceClasses),
      fc.constantFrom(...severities),
      fc.constantFrom(...axes),
      fc.nat(5),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), any, fc.boolean(), (list, one, isComplete) => {
        const before = judge(
          list.map((each) => finding(...each)),
          coverage,
          isComplete,
          rubric,
        );
        const after = judge(
          [...list, one].map((each) => finding(...each)),
          coverage,
          isComplete,
          rubric,
        );
        expect(verdictSchema.parse(after)).toEqual(after);
        if (before.risk !== null) expect(after.risk).toBeGreaterThanOrEqual(before.risk);
      }),
    );
  });
});
