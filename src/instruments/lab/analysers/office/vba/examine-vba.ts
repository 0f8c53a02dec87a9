import type { Collector } from '../collector.ts';
import type { CompoundFile } from '../compound/read-compound-file.ts';
import { codeLines } from './code-lines.ts';
import { compareWithCompiled } from './compiled.ts';
import { decodeLiteral, literalsOf } from './decode-literals.ts';
import { foldStrings } from './fold-strings.ts';
import { readProjects, type VbaModule, type VbaProject } from './read-project.ts';
import { autoEvents, autoProcedures, type WordGroup, wordGroups } from './words.ts';

/** What VBA there is, what it can do, and which strings it hides. */

const maximalFolded = 1024 * 1024;

const autoKind = {
  rule: 'office.macro.auto-exec',
  title: 'A macro runs without being asked for when the document is opened, closed or used',
  severity: 'medium',
  evidenceType: 'behaviour',
  benign: 'Templates set up their toolbars and defaults in the same procedures.',
  attack: ['T1204.002', 'T1059.005'],
} as const;

const presentKind = {
  rule: 'office.macro.vba',
  title: 'The document contains VBA macros',
  severity: 'low',
  evidenceType: 'structural',
  benign: 'Workbooks and templates of firms are often automated with macros.',
  attack: ['T1059.005'],
} as const;

const hiddenKind = {
  rule: 'office.macro.decoded-strings',
  title: 'The macro contains strings that only come together when it runs',
  severity: 'low',
  evidenceType: 'artifact',
  benign: 'Long SQL and messages are joined over several lines as well; what the strings say decides.',
  attack: ['T1027', 'T1140'],
} as const;

export interface VbaSummary {
  /** Not every project has code in it: an empty one is no macro. */
  readonly hasCode: boolean;
  readonly projects: readonly VbaProject[];
}

function escapeWord(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function matcherOf(words: readonly string[]): RegExp {
  const longestFirst = words.toSorted((left, right) => right.length - left.length).map(escapeWord);
  return new RegExp(`(?<![\\w])(?:${longestFirst.join('|')})(?![\\w])`, 'gi');
}

/** Each word of a group once, with the line where it stands first. */
function wordsIn(group: WordGroup, code: readonly string[], tick: () => void): Map<string, string> {
  const matcher = matcherOf(group.words);
  const found = new Map<string, string>();
  code.forEach((line, index) => {
    if (index % 256 === 0) tick();
    for (const [word] of line.slice(0, 20_000).matchAll(matcher)) {
      if (!found.has(word.toLowerCase())) found.set(word.toLowerCase(), line.trim());
    }
  });
  return found;
}

const procedurePattern =
  /^\s*(?:(?:Public|Private|Friend|Static)\s+)*(?:Sub|Function)\s+([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]{0,100})/i;

export function autoProceduresOf(code: readonly string[]): string[] {
  const names = code.map((line) => procedurePattern.exec(line)?.[1]).filter((name) => name !== undefined);
  const automatic = new Set(autoProcedures.map((name) => name.toLowerCase()));
  return [...new Set(names.filter((name) => automatic.has(name.toLowerCase()) || autoEvents.test(name)))];
}

function examineWords(collector: Collector, module: VbaModule, code: readonly string[], tick: () => void): string[] {
  const all: string[] = [];
  for (const group of wordGroups) {
    const found = wordsIn(group, code, tick);
    if (found.size === 0) continue;
    all.push(...[...found.keys()].map((word) => `${group.id}: ${word}`));
    // Text functions are in every macro: they say something where several meet.
    if (group.id === 'obfuscation' && found.size < 3) continue;
    const evidence = [...found.values()].map((text) => ({ where: `stream ${module.stream}`, text }));
    collector.finding({ ...group, rule: `office.macro.${group.id}`, evidenceType: 'behaviour' }, ...new Set(evidence));
  }
  return all;
}

function examineStrings(collector: Collector, module: VbaModule, tick: () => void): string[] {
  const source = module.source.slice(0, maximalFolded);
  const folded = foldStrings(source, tick);
  const values = folded.map(({ value }) => value);
  for (const literal of [...new Set([...literalsOf(source, 2000), ...values])]) {
    tick();
    const decoded = decodeLiteral(literal);
    if (decoded !== null) values.push(decoded.text);
  }
  if (values.length === 0) return [];
  collector.text(`decoded strings of macro ${module.name}`, values.join('\n'));
  const telling = values.filter((value) => value.length >= 4).toSorted((left, right) => right.length - left.length);
  const evidence = telling.slice(0, 3).map((text) => ({ where: `stream ${module.stream}`, text }));
  if (evidence.length > 0) collector.finding(hiddenKind, ...evidence);
  return values;
}

function moduleFacts(collector: Collector, module: VbaModule, tick: () => void) {
  const code = codeLines(module.source).slice(0, 100_000);
  const automatic = autoProceduresOf(code);
  if (code.length > 0) collector.text(`macro ${module.name}`, module.source);
  if (automatic.length > 0) {
    collector.finding(autoKind, ...automatic.map((text) => ({ where: `stream ${module.stream}`, text })));
  }
  const words = examineWords(collector, module, code, tick);
  const strings = examineStrings(collector, module, tick);
  return { automatic, words, strings, code };
}

export function examineVba(collector: Collector, file: CompoundFile, inside: string, tick: () => void): VbaSummary {
  const projects = readProjects(file, tick);
  const modules: { [key: string]: string | number | boolean }[] = [];
  const automatic = new Set<string>();
  const words = new Set<string>();
  const strings = new Set<string>();
  let isStomped = false;
  for (const project of projects) {
    project.notes.forEach(collector.note);
    const sources: string[] = [];
    for (const module of project.modules) {
      const facts = moduleFacts(collector, module, tick);
      for (const name of facts.automatic) automatic.add(name);
      for (const word of facts.words) words.add(word);
      for (const value of facts.strings) strings.add(value);
      sources.push(module.source);
      modules.push({
        name: module.name,
        stream: inside === '' ? module.stream : `${inside}:${module.stream}`,
        type: module.type,
        code_lines: facts.code.length,
        compiled_bytes: module.cacheBytes,
        is_whole: module.isWhole,
      });
      if (facts.code.length > 0) {
        const first = facts.code[0] ?? '';
        collector.finding(presentKind, { where: `stream ${module.stream}`, text: first.trim() });
      }
    }
    isStomped = compareWithCompiled(collector, project, sources.join('\n'), tick) || isStomped;
  }
  const hasCode = isStomped || modules.some(({ code_lines: lines }) => Number(lines) > 0);
  if (projects.length > 0) {
    collector.fact('has_vba_project', true);
    collector.list('vba_modules', modules, 100);
    collector.list(
      'vba_references',
      projects.flatMap(({ references }) => references),
      30,
    );
    collector.list('vba_auto_procedures', [...automatic]);
    collector.list('vba_words', [...words], 100);
    collector.list('vba_decoded_strings', [...strings], 40);
    collector.fact('vba_project_name', projects[0]?.name ?? '');
    collector.fact('vba_code_page', projects[0]?.codePage ?? 0);
    if (projects.some(({ isProtected }) => isProtected)) collector.fact('vba_project_locked', true);
  }
  return { hasCode, projects };
}
