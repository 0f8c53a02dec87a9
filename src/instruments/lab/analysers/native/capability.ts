import type { Severity } from '../../../../base/finding-schema.ts';
import type { LabFinding } from '../../contract.ts';
import { capped, tidy } from './wording.ts';

/**
 * What functions that a file links to make possible together. That a file imports a function says that the code may call
 * it, not that it does: the evidence is how the file is built.
 */
export interface Capability {
  readonly rule: string;
  readonly title: string;
  readonly severity: Severity;
  /** At least one function of each row has to be there. */
  readonly rows: readonly (readonly string[])[];
  readonly attack?: readonly string[];
  readonly mbc?: readonly string[];
  readonly benign: string;
}

/** How one name is spelt in tables; several spellings of a function are one. */
export type Spelling = (name: string) => readonly string[];

export function matchCapabilities(
  imported: readonly string[],
  table: readonly Capability[],
  spell: Spelling,
  where = 'import table',
): LabFinding[] {
  const present = new Map<string, string>();
  for (const name of imported) for (const one of spell(name)) if (!present.has(one)) present.set(one, name);
  return table.flatMap((capability) => {
    const { rows, ...rest } = capability;
    const hits = rows.map((row) => row.flatMap((name) => present.get(name) ?? []));
    if (hits.some((row) => row.length === 0)) return [];
    const names = [...new Set(hits.flat())];
    const evidence = capped(names, 10).map((text) => ({ where, text: tidy(text, 400) }));
    return [{ ...rest, evidenceType: 'structural' as const, evidence }];
  });
}
