import { asArray, entriesOf, isObject } from '../../../base/json-shape.ts';
import type { Aim, Parsed, ScanFinding, ScanOutput } from '../contract.ts';
import { beginningOf, boundedText, boundedTexts, gather, withoutColours } from './bounds.ts';
import { readJson } from './json.ts';
import { linesOf } from './lines.ts';

/**
 * arjun writes its file only when it has found something, and ends with 0 also when it gave up, so what it prints is read
 * as well. Its file has a URL as key, and below it names, or an object with names and method, or methods with names.
 */

const mostNames = 200;
const nameCharacters = 128;
const methods = new Set(['GET', 'POST', 'JSON', 'XML']);

function names(value: unknown): string[] {
  return [...new Set(boundedTexts(value, mostNames, nameCharacters))];
}

function findingOf(url: string, params: readonly string[], method: string | null): ScanFinding {
  return { url: boundedText(url, 2048), params, method };
}

/** Null when the value is nothing that arjun writes. */
function findingsOf(url: string, value: unknown): ScanFinding[] | null {
  if (Array.isArray(value)) return [findingOf(url, names(value), null)];
  if (!isObject(value)) return null;
  if (Array.isArray(value.params)) return [findingOf(url, names(value.params), boundedText(value.method, 16))];
  const byMethod = entriesOf(value).filter(([key, item]) => methods.has(key) && Array.isArray(item));
  if (byMethod.length === 0) return null;
  return byMethod.map(([method, item]) => findingOf(url, names(asArray(item)), method));
}

/** What arjun says when it gives up, and what it means for the reader. */
const endings: readonly (readonly [says: string, means: string])[] = [
  ['due to errors', 'arjun gave up: the target did not answer as it should'],
  ['rate limit', 'arjun gave up: the target limits the rate of requests'],
  ['unable to process requests', 'arjun gave up: the target answered with 503'],
  ['received a bad request', 'arjun gave up: the target takes unknown parameters for a bad request'],
  ['Target is misbehaving', 'arjun gave up: it takes the answers of the target for unsteady'],
  ['returning different content', 'arjun gave up: the answers of the target differ from one request to the next'],
  ['unable to increase timeout', 'arjun gave up: the target is too slow'],
  ['seems to require certain parameters', 'the target asks for parameters of its own: arjun was not given any'],
];

function after(line: string, words: string): string | undefined {
  const at = line.indexOf(words);
  return at === -1 ? undefined : line.slice(at + words.length);
}

function readLines(text: string): { readonly found: string[]; readonly said: ReadonlySet<string> } {
  const found: string[] = [];
  const said = new Set<string>();
  for (const line of linesOf(withoutColours(text).replaceAll('\r', '\n'))) {
    if (line === null) continue;
    for (const [says, means] of endings) if (line.includes(says)) said.add(means);
    const one = /parameter detected: (.{1,128}), based on: /.exec(line)?.[1];
    const all = after(line, 'Parameters found: ')?.trim().split(', ') ?? [];
    for (const name of one === undefined ? all : [one]) if (found.length < mostNames) found.push(name);
  }
  return { found, said };
}

export function parseArjun(output: ScanOutput, aim: Aim): Parsed {
  const gathering = gather();
  const file = output.outputFile === null ? null : beginningOf(output.outputFile);
  const document = file === null ? undefined : readJson(file.text);
  let isRead = false;
  for (const [url, value] of entriesOf(document)) {
    const findings = findingsOf(url, value)?.filter(({ params }) => asArray(params).length > 0);
    if (findings === undefined) gathering.broken('results of arjun in an unknown shape');
    for (const finding of findings ?? []) {
      isRead = true;
      gathering.add(finding);
    }
  }
  if (file !== null && !isObject(document)) gathering.note('the file of arjun is cut or no JSON');
  const { found, said } = readLines(beginningOf(output.stdout).text);
  const printed = names(found);
  if (!isRead && printed.length > 0) gathering.add(findingOf(aim.url ?? aim.label, printed, null));
  for (const means of said) gathering.note(means);
  if (output.stderr.includes('Traceback (most recent call last)'))
    gathering.note('arjun broke off with an error of its own');
  return gathering.parsed();
}
