import { readFileSync } from 'node:fs';
import { rulesFile } from '../../../base/rules-folder.ts';

/** What a model is told about the lab when it connects. */
export function labInstructions(): string {
  return readFileSync(rulesFile('lab/guidance/instructions.md'), 'utf8').trim();
}
