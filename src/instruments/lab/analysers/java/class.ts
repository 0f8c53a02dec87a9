import type { Analyser, AnalyserInput } from '../../contract.ts';
import { capped, type Draft, draftResult, excerpt } from '../draft.ts';
import { addCapabilities, javaCapabilities } from './capabilities.ts';
import { javaVersion, readClass } from './class-file.ts';

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const found = readClass(input.bytes, tick);
  if (found === undefined) {
    draft.note('not the header of a class');
    return;
  }
  for (const note of found.notes) draft.note(note);
  draft.fact('class_version', `${found.major}.${found.minor}`);
  draft.fact('java_version', javaVersion(found.major));
  draft.fact('name', excerpt(found.name));
  draft.fact('super', excerpt(found.superName));
  draft.fact('flags', found.flags);
  draft.fact('fields', found.fields);
  if (found.sourceFile !== undefined) draft.fact('source_file', excerpt(found.sourceFile, 200));
  const lists = {
    interfaces: found.interfaces,
    methods: found.methods,
    classes: found.classes,
    references: found.references,
  };
  for (const [key, list] of Object.entries(lists)) {
    for (const [name, value] of Object.entries(
      capped(
        key,
        list.map((one) => excerpt(one, 200)),
        200,
      ),
    ))
      draft.fact(name, value);
  }
  draft.fact('strings', found.strings.length);
  draft.text('strings', found.strings.join('\n'));
  addCapabilities(draft, javaCapabilities, found.references, `class ${excerpt(found.name, 100)}`);
}

export const javaClass: Analyser = {
  id: 'java-class',
  title: 'Java class: what it names and can do',
  version: 1,
  kinds: ['class'],
  depth: 'quick',
  timeoutMs: 10_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
