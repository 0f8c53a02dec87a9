import { findTool } from '../../engine/host/index.ts';
import type { ScannerDefinition } from './contract.ts';

/** Why a scanner cannot run on this machine; null when it can. */
export async function findObstacle({ needs, obstacle }: ScannerDefinition): Promise<string | null> {
  if (needs !== null && (await findTool(needs.name)) === null) {
    return `${needs.name} is not installed; it comes with ${needs.package}`;
  }
  return obstacle?.() ?? null;
}
