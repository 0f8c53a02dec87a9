import type { IndicatorKind } from '../kind.ts';
import { commonCmdlets, tellingCmdlets } from '../tables/programs.ts';

export const powershellCmdlet: IndicatorKind = {
  type: 'powershell_cmdlet',
  title: 'PowerShell command that fetches, decodes, runs or hides',
  misp: { type: 'text', category: 'Artifacts dropped' },
  readers: [
    {
      trigger: 'name',
      read: (scan, from, to) => {
        if (to - from > 160) return undefined;
        const run = scan.text.slice(from, to);
        // `).DownloadString(`, `[Convert]::FromBase64String(`: the method is the last word.
        const dot = run.lastIndexOf('.');
        const value = tellingCmdlets.get(run.slice(dot + 1).toLowerCase());
        if (value === undefined) return undefined;
        const start = from + dot + 1;
        scan.report({
          type: 'powershell_cmdlet',
          value,
          from: start,
          to,
          confidence: commonCmdlets.has(value.toLowerCase()) ? 0.4 : 0.7,
        });
        return to;
      },
    },
  ],
};
