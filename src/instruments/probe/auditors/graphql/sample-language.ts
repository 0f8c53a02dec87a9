/** For tests: as much of the language as the queries of the auditor use. */

export interface Selection {
  readonly name: string;
  readonly alias: string;
  readonly argumentNames: readonly string[];
  readonly directives: readonly string[];
  readonly selections: readonly Selection[];
}

export interface Operation {
  readonly kind: string;
  readonly variableTypes: readonly string[];
  readonly selections: readonly Selection[];
}

export function parseOperation(text: string): Operation {
  const tokens = text.match(/[A-Za-z_]\w*|"[^"]*"|[{}():@$]|\d+/g) ?? [];
  let at = 0;
  const next = (): string => {
    const token = tokens[at];
    if (token === undefined) throw new Error('Syntax Error: Unexpected <EOF>.');
    at += 1;
    return token;
  };
  const bracketed = (): readonly string[] => {
    const inner: string[] = [];
    if (tokens[at] !== '(') return inner;
    next();
    while (tokens[at] !== ')') inner.push(next());
    next();
    return inner;
  };
  const before = (inner: readonly string[]) => inner.filter((_, index) => inner[index + 1] === ':');
  const directivesHere = (): readonly string[] => {
    const names: string[] = [];
    while (tokens[at] === '@') {
      next();
      names.push(next());
      bracketed();
    }
    return names;
  };
  const selectionsHere = (): readonly Selection[] => {
    const found: Selection[] = [];
    if (tokens[at] !== '{') return found;
    next();
    while (tokens[at] !== '}') {
      const first = next();
      const hasAlias = tokens[at] === ':';
      if (hasAlias) next();
      const name = hasAlias ? next() : first;
      const argumentNames = before(bracketed());
      const directives = directivesHere();
      found.push({ name, alias: first, argumentNames, directives, selections: selectionsHere() });
    }
    next();
    return found;
  };
  const kind = tokens[0] === '{' ? 'query' : next();
  const variables = bracketed();
  const variableTypes = variables.filter((_, index) => variables[index - 1] === ':');
  return { kind, variableTypes, selections: selectionsHere() };
}

export function depthOf(selections: readonly Selection[]): number {
  return selections.length === 0 ? 0 : 1 + Math.max(...selections.map((each) => depthOf(each.selections)));
}

export function countOf(selections: readonly Selection[]): number {
  return selections.reduce((sum, each) => sum + 1 + countOf(each.selections), 0);
}
