import type { Json } from '../../contract.ts';
import { type Draft, excerpt } from '../draft.ts';
import { idioms } from './idioms.ts';
import type { ScriptLanguage } from './languages.ts';
import { type Peeled, peelScript } from './peel.ts';
import { rules } from './rules.ts';

export interface ScriptSource {
  /** Where the text stands: `command`, `macro`. */
  readonly label: string;
  readonly text: string;
  readonly language: ScriptLanguage;
  readonly tick: () => void;
}

const mostSearched = 1_000_000;

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let from = text.indexOf('\n'); from >= 0 && from < at; from = text.indexOf('\n', from + 1)) line += 1;
  return line;
}

/** Findings of the table of idioms in one text. */
export function addIdioms(draft: Draft, where: string, text: string, tick: () => void): void {
  const part = text.slice(0, mostSearched);
  for (const { pattern, ...rule } of idioms) {
    tick();
    const found = pattern.exec(part);
    if (found === null) continue;
    const start = Math.max(0, found.index - 80);
    draft.finding(
      rule,
      `${where}, line ${lineOf(part, found.index)}`,
      part.slice(start, found.index + found[0].length + 160).trim(),
    );
  }
}

/** Extensions for children, so that what looks at them next is told what they are. */
const extensions: Readonly<Record<ScriptLanguage, string>> = {
  javascript: 'js',
  vbscript: 'vbs',
  vbe: 'vbe',
  powershell: 'ps1',
  batch: 'bat',
  shell: 'sh',
  python: 'py',
  perl: 'pl',
  php: 'php',
  ruby: 'rb',
  autoit: 'au3',
  hta: 'hta',
  html: 'html',
  svg: 'svg',
  wsf: 'wsf',
  xml: 'xml',
};

const foldedView = 'constants put in place';
const manyPieces = 25;

function addLayers(draft: Draft, label: string, peeled: Peeled, tick: () => void): void {
  for (const [index, layer] of peeled.layers.entries()) {
    const name = index === 0 ? label : `${label}, layer ${index}`;
    if (index > 0) draft.text(`${name} (${layer.how})`, layer.text);
    addIdioms(draft, name, layer.text, tick);
    if (index === 0 || layer.how === foldedView) continue;
    if (layer.how.startsWith('script encoding')) draft.finding(rules.scriptEncoding, name, layer.text);
    else if (layer.how.startsWith('PowerShell -Enc')) draft.finding(rules.encodedCommand, name, layer.text);
    else if (!/ at offset \d+$/.test(layer.how)) draft.finding(rules.layers, `${name}: ${layer.how}`, layer.text);
    draft.child(`layer-${index}.${extensions[layer.language]}`, Buffer.from(layer.text, 'utf8'), layer.how);
  }
  for (const [index, { bytes, how, from }] of peeled.binaries.entries()) {
    draft.finding(
      rules.files,
      `${label}, layer ${from}`,
      `${how}, ${bytes.length} bytes, begins with ${Buffer.from(bytes.subarray(0, 16)).toString('hex')}`,
    );
    draft.child(`payload-${index + 1}`, bytes, how);
  }
}

/** Peels a script and adds layers, findings, texts and children. Gives the facts about the layers. */
export function addScript(draft: Draft, { label, text, language, tick }: ScriptSource): Peeled {
  const peeled = peelScript(text, language, tick);
  addLayers(draft, label, peeled, tick);
  draft.text(`${label}, decoded strings`, peeled.strings.join('\n'));
  if (peeled.foldedExpressions >= manyPieces) {
    const view = peeled.layers.find(({ how }) => how === foldedView);
    draft.finding(rules.folded, label, `${peeled.foldedExpressions} expressions: ${view?.text ?? ''}`);
  }
  if (peeled.cut) draft.note('more layers than are kept');
  draft.fact(
    'layers',
    peeled.layers.map(
      (layer, index): Json => ({
        index,
        how: layer.how,
        language: layer.language,
        from: layer.from,
        characters: layer.text.length,
        preview: excerpt(layer.text.trim(), 200),
      }),
    ),
  );
  draft.fact('folded_expressions', peeled.foldedExpressions);
  draft.fact(
    'payloads',
    peeled.binaries.map(({ how, bytes, from }): Json => ({ how, size: bytes.length, from })),
  );
  return peeled;
}
