import type { Analyser, AnalyserInput, Json } from '../../contract.ts';
import { capped, type Draft, draftResult, excerpt } from '../draft.ts';
import { addScript } from './add-script.ts';
import { isScriptLanguage, type ScriptLanguage, scriptLanguages } from './languages.ts';
import { markupLanguages, readMarkup } from './markup.ts';
import { measure, measureFacts } from './measures.ts';
import { rules } from './rules.ts';
import { decodeText } from './text-encoding.ts';

const mostCharacters = 8_000_000;
const longLine = 5000;
const manyEscapes = 20;

function addPage(draft: Draft, text: string, language: ScriptLanguage, tick: () => void): void {
  const page = readMarkup(text, tick);
  const list = (key: string, values: readonly Json[]): void => {
    for (const [name, value] of Object.entries(capped(key, values, 50))) draft.fact(name, value);
  };
  if (page.title !== undefined) draft.fact('title', excerpt(page.title.trim(), 200));
  draft.fact('script_blocks', page.scripts.length);
  list(
    'script_sources',
    page.sources.map((source) => excerpt(source, 300)),
  );
  list(
    'frames',
    page.frames.map((frame) => excerpt(frame, 300)),
  );
  list(
    'forms',
    page.forms.map(({ action, method, password }) => ({
      action: excerpt(action, 300),
      method: excerpt(method, 10),
      password,
    })),
  );
  list(
    'refresh',
    page.refresh.map((target) => excerpt(target, 300)),
  );
  list(
    'data_addresses',
    page.dataUris.map(({ type, data }) => ({ type: excerpt(type, 80), size: data.length })),
  );
  for (const { action, password } of page.forms) if (password) draft.finding(rules.passwordForm, 'form', action);
  for (const target of page.refresh) if (/url\s?=/i.test(target)) draft.finding(rules.refresh, 'meta', target);
  const [script] = page.scripts;
  if (language === 'svg' && script !== undefined) draft.finding(rules.pictureWithScript, script.where, script.text);
}

function work(input: AnalyserInput, draft: Draft, tick: () => void): void {
  const { text: whole, encoding } = decodeText(input.bytes);
  const text = whole.slice(0, mostCharacters);
  if (whole.length > text.length) draft.note(`only the first ${mostCharacters} characters were read`);
  const language = isScriptLanguage(input.kind.id) ? input.kind.id : 'shell';
  draft.fact('language', language);
  draft.fact('encoding', encoding);
  draft.fact('characters', whole.length);
  const measures = measure(text);
  draft.fact('measures', measureFacts(measures));
  draft.text('script', text);
  if (measures.longestLine > longLine) draft.finding(rules.longLine, 'text', `${measures.longestLine} characters`);
  if (measures.escapes > manyEscapes && text.length > 200)
    draft.finding(rules.escapes, 'text', `${measures.escapes} in a thousand characters: ${text.slice(0, 200)}`);
  if (/\.(?:pdf|docx?|xlsx?|pptx?|txt|jpe?g|png|zip)\.[a-z0-9]{2,4}$/i.test(input.name))
    draft.finding(rules.doubleName, 'name', input.name);
  if (markupLanguages.has(language)) addPage(draft, text, language, tick);
  addScript(draft, { label: 'script', text, language, tick });
}

export const script: Analyser = {
  id: 'script',
  title: 'Script: layers, what it does, how it hides it',
  version: 1,
  kinds: scriptLanguages,
  depth: 'quick',
  timeoutMs: 20_000,
  analyse: (input) => draftResult(input, (draft, tick) => work(input, draft, tick)),
};
