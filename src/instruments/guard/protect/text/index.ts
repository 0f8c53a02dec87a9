import type { EditableText } from './contract.ts';
import { openJsonText } from './json-text.ts';
import { openTomlText } from './toml-text.ts';
import { openYamlText } from './yaml-text.ts';

export type { EditableText } from './contract.ts';
export { showKeys } from './contract.ts';

const languages: readonly { readonly ending: RegExp; open(path: string, text: string): EditableText }[] = [
  { ending: /\.toml$/i, open: openTomlText },
  { ending: /\.ya?ml$/i, open: openYamlText },
  { ending: /(?:)/, open: openJsonText },
];

/** The language is told by the end of the path, as everywhere. */
export function openText(path: string, text: string): EditableText {
  const language = languages.find(({ ending }) => ending.test(path));
  return (language?.open ?? openJsonText)(path, text);
}
