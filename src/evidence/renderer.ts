import type { Report } from '../base/report-schema.ts';
import type { RuleText } from './rule-text.ts';

/** A renderer turns a report into a document of one format. It is one file, and one line in the list. */

export interface RenderInput {
  readonly report: Report;
  /** Texts of the rules that findings name. */
  readonly rules: readonly RuleText[];
  /** One bill of materials per subject, where one was made. */
  readonly boms: readonly (object | null)[];
}

export interface Renderer {
  readonly id: string;
  readonly title: string;
  /** Endings of files by which `-o FILE` picks it, the longest match first. */
  readonly endings: readonly string[];
  render(input: RenderInput): string;
}
