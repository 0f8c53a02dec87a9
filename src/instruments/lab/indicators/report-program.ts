import type { Scan } from './scan.ts';
import { plainWords, tellingPrograms } from './tables/programs.ts';

/** Programs by name alone; gives back whether it was one. */
export function reportProgram(scan: Scan, name: string, from: number, to: number): boolean {
  const small = name.toLowerCase();
  const bare = small.replace(/\.exe$/, '');
  if (!tellingPrograms.has(bare)) return false;
  const hasExtension = bare !== small;
  // Without an extension it has to look like a command: an option follows.
  if (!hasExtension && (plainWords.has(bare) || !/^\s{1,2}[-/]{1,2}[a-z]/.test(scan.after(to, 6)))) return false;
  scan.report({ type: 'suspicious_executable', value: `${bare}.exe`, from, to, confidence: hasExtension ? 0.8 : 0.6 });
  return true;
}
