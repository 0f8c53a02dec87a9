import type { LabReport } from './schema.ts';

/** A report in the form that its reader wants. */

export const reportFormats = ['terminal', 'json', 'markdown', 'html', 'stix'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Colours as functions; absent where there are none. */
export interface ReportStyle {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly code: (text: string) => string;
}

export interface RenderOptions {
  /** Columns; Infinity for a file. */
  readonly width: number;
  readonly style: ReportStyle | null;
}

export async function renderLabReport(
  report: LabReport,
  format: ReportFormat,
  options: RenderOptions,
): Promise<string> {
  switch (format) {
    case 'terminal':
      return (await import('./terminal.ts')).renderTerminal(report, options);
    case 'markdown':
      return (await import('./markdown.ts')).renderMarkdown(report);
    case 'html':
      return (await import('./html.ts')).renderHtml(report);
    case 'stix':
      return (await import('./stix.ts')).renderStix(report);
    case 'json':
      return `${JSON.stringify(report, null, 2)}\n`;
  }
}
