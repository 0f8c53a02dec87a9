import { asArray, asObject, asString } from '../../../../base/json-shape.ts';
import { makeFinding } from '../../inspect/rule.ts';
import { evidenceAt, type ResultInspector } from './contract.ts';
import { textsIn } from './given-text.ts';
import { resultRules } from './rules.ts';

const active = /<script\b|<[a-z][^>]{0,500}\son[a-z]{3,20}\s*=|<iframe\b|<svg\b[^>]{0,200}onload/i;
const rendered = /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i;
const mostParts = 200;

/** Texts of a result that a client renders: they say that they are HTML, or a user interface. */
export function renderedTexts(raw: unknown): readonly string[] {
  const { content, contents } = asObject(raw);
  return [...asArray(content), ...asArray(contents)].slice(0, mostParts).flatMap((part) => {
    const block = asObject(part);
    return [block, asObject(block.resource)].flatMap(({ mimeType, uri, text, blob }) => {
      const isRendered = rendered.test(asString(mimeType) ?? '') || (asString(uri) ?? '').startsWith('ui://');
      if (!isRendered) return [];
      const bytes = asString(blob);
      return [asString(text) ?? (bytes === undefined ? '' : Buffer.from(bytes, 'base64').toString('utf8'))];
    });
  });
}

export const inspectMarkup: ResultInspector = (call) => {
  const sent = textsIn(call.input).filter((text) => text.length >= 8 && active.test(text));
  if (sent.length === 0) return [];
  const shown = renderedTexts(call.result.raw);
  const echoed = sent.find((text) => shown.some((each) => each.includes(text)));
  if (echoed === undefined) return [];
  const [page = ''] = shown.filter((each) => each.includes(echoed));
  const at = page.indexOf(echoed);
  return [
    makeFinding(resultRules.markup, {
      ...{ identity: [call.tool], evidenceClass: 'B' },
      title: `${call.tool}: puts markup of an argument unescaped into what is rendered`,
      evidence: [evidenceAt(call, page.slice(Math.max(0, at - 80), at + echoed.length + 80))],
    }),
  ];
};
