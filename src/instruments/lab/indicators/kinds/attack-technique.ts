import type { IndicatorKind } from '../kind.ts';

export const attackTechnique: IndicatorKind = {
  type: 'attack_technique',
  title: 'ATT&CK technique',
  misp: { type: 'text', category: 'External analysis' },
  readers: [
    {
      trigger: 'name',
      read: (scan, from, to) => {
        if (to - from !== 5 && to - from !== 9) return undefined;
        const value = scan.text.slice(from, to);
        if (!/^T1\d{3}(?:\.0\d\d)?$/.test(value)) return undefined;
        scan.report({ type: 'attack_technique', value, from, to, confidence: value.length === 9 ? 0.8 : 0.6 });
        return to;
      },
    },
  ],
};
