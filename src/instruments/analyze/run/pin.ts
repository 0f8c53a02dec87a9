import type { Analysis } from '../../../base/analysis-schema.ts';
import type { Finding } from '../../../base/finding-schema.ts';
import type { Subject } from '../../../base/report-schema.ts';
import type { Detonated } from '../interrogate/detonate/contract.ts';
import { checkPin, makePin } from '../pins/index.ts';

/** What the server offers now beside what it offered the last time, which is remembered. */
export async function comparePin(
  target: Subject['target'],
  { listing }: Pick<Detonated, 'listing'>,
  folder: string | null,
): Promise<{ readonly listings: Analysis['listings']; readonly findings: readonly Finding[] }> {
  const nothing = { listings: [], findings: [] };
  if (folder === null || listing === null) return nothing;
  const compared = await checkPin(folder, makePin(target, listing, new Date()));
  return compared === null ? nothing : { listings: [compared.comparison], findings: compared.findings };
}
