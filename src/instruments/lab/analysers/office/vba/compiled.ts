import { latin1 } from '../bytes.ts';
import type { Collector } from '../collector.ts';
import { codeLines } from './code-lines.ts';
import type { VbaProject } from './read-project.ts';
import { autoProcedures, wordGroups } from './words.ts';

/**
 * Office runs the compiled part of a module when its own version made it, so a source that was taken out or exchanged
 * does not say what runs. Names that only the compiled part has are the sign of it.
 */

const stompedKind = {
  rule: 'office.macro.source-mismatch',
  title: 'The compiled macro says something else than its source',
  severity: 'high',
  evidenceType: 'structural',
  benign:
    'Projects that were edited often keep names of code that was deleted long ago; a source that is gone altogether is rare.',
  attack: ['T1564.007'],
} as const;

/** Below this a module has nothing but its header. */
const emptyCacheBytes = 1024;

function namesOnlyCompiled(project: VbaProject, source: string): string[] {
  const wanted = [
    ...autoProcedures,
    ...wordGroups.filter(({ severity }) => severity === 'high').flatMap(({ words }) => words),
    'CreateObject',
    'GetObject',
  ].filter((word) => /^\w{5,}$/.test(word));
  const compiled =
    `${latin1(project.compiled)}\n${project.modules.map(({ cache }) => latin1(cache.subarray(0, 1_000_000))).join('\n')}`.slice(
      0,
      8_000_000,
    );
  const lowerSource = source.toLowerCase();
  // In the table of names a name has a length before it and no letter behind it.
  const words = new Set(compiled.match(/[A-Za-z_][A-Za-z0-9_]{4,60}/g)?.map((word) => word.toLowerCase()));
  return wanted.filter((word) => words.has(word.toLowerCase()) && !lowerSource.includes(word.toLowerCase()));
}

/** True where the source does not say what runs. */
export function compareWithCompiled(
  collector: Collector,
  project: VbaProject,
  source: string,
  tick: () => void,
): boolean {
  tick();
  const evidence = project.modules
    .filter((module) => module.cacheBytes > emptyCacheBytes && (!module.isWhole || module.source.trim() === ''))
    .map((module) => ({
      where: `stream ${module.stream}`,
      text: `${module.cacheBytes} bytes of compiled code, no source that can be read`,
    }));
  const names = namesOnlyCompiled(project, source);
  const code = codeLines(source);
  const isStomped = evidence.length > 0 || (names.length > 0 && code.length === 0) || names.length >= 3;
  if (names.length > 0) collector.list('vba_names_only_compiled', names, 30);
  if (!isStomped) return false;
  if (names.length > 0)
    evidence.push({ where: `storage ${project.path}`, text: `names without source: ${names.join(', ')}` });
  collector.fact('vba_source_mismatch', true);
  collector.finding(stompedKind, ...evidence);
  return true;
}
