/** URI templates as servers write them: `notes://{id}`, `file:///{+path}`, `search://{?q,limit}`. */

export interface TemplatePart {
  readonly literal: string;
  readonly operator: string;
  readonly names: readonly string[];
}

const expression = /\{([+#./;?&]?)([^{}]{1,200})\}/g;
const mostParts = 32;
const longestTemplate = 2048;

/** A last part without names is the text behind the last expression. */
export function partsOf(template: string): readonly TemplatePart[] {
  const text = template.slice(0, longestTemplate);
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const found of text.matchAll(expression)) {
    if (parts.length >= mostParts) break;
    const names = (found[2] ?? '')
      .split(',')
      .map((name) => name.trim().replace(/(?:\*|:\d{1,4})$/, ''))
      .filter((name) => name !== '');
    parts.push({ literal: text.slice(from, found.index), operator: found[1] ?? '', names });
    from = found.index + found[0].length;
  }
  return [...parts, { literal: text.slice(from), operator: '', names: [] }];
}

export function variablesOf(template: string): readonly string[] {
  return [...new Set(partsOf(template).flatMap(({ names }) => names))];
}

/** What every address of the template begins with. */
export function prefixOf(template: string): string {
  const [first] = partsOf(template);
  return first?.literal ?? '';
}

const separators: Readonly<Record<string, string>> = { '.': '.', '/': '/', ';': ';', '?': '&', '&': '&' };
const named = new Set([';', '?', '&']);

function encode(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half of a character has no form of its own in a URI.
    return encodeURIComponent(value.toWellFormed());
  }
}

/** `raw` leaves the values as they are: many servers match addresses as text. */
export function expand(template: string, values: Readonly<Record<string, string>>, form: 'encoded' | 'raw'): string {
  return partsOf(template)
    .map(({ literal, operator, names }) => {
      const texts = names.flatMap((name) => {
        if (!Object.hasOwn(values, name)) return [];
        const value = values[name] ?? '';
        const isWhole = form === 'raw' || operator === '+' || operator === '#';
        const text = isWhole ? value : encode(value);
        return [named.has(operator) ? `${name}=${text}` : text];
      });
      if (texts.length === 0) return literal;
      const first = operator === '' || operator === '+' ? '' : operator;
      return `${literal}${first}${texts.join(separators[operator] ?? ',')}`;
    })
    .join('');
}
