import { findTool } from '../../engine/host/index.ts';
import type { ScannerDefinition, ScannerName } from './contract.ts';

export interface Availability {
  readonly name: ScannerName;
  readonly title: string;
  readonly isAvailable: boolean;
  /** What is missing and which package brings it. */
  readonly because: string | null;
}

/** Why a scanner cannot run on this machine; null when it can. */
export async function findObstacle({ needs, obstacle }: ScannerDefinition): Promise<string | null> {
  if (needs !== null && (await findTool(needs.name)) === null) {
    return `${needs.name} is not installed; it comes with ${needs.package}`;
  }
  return obstacle?.() ?? null;
}

export function findAvailable(scanners: readonly ScannerDefinition[]): Promise<readonly Availability[]> {
  return Promise.all(
    scanners.map(async (scanner) => {
      const because = await findObstacle(scanner);
      return { name: scanner.name, title: scanner.title, isAvailable: because === null, because };
    }),
  );
}
