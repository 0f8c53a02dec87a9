import { describeChanges, normaliseText } from '../../../base/normalise.ts';
import { accesses, type FileRule, fileRuleSchema } from '../../../base/policy-schema.ts';
import { cleanPath } from '../paths.ts';
import { check, checkKeys, checkList, isObject } from './check.ts';
import { type Findings, joinPath, quote } from './problem.ts';

/** `files`: a list of rules, or one list per access. */

const mostRules = 10_000;
const listedRuleSchema = fileRuleSchema.omit({ access: true });

function fromLists(value: unknown, path: string, findings: Findings): FileRule[] {
  const lists = checkKeys(value, path, accesses, findings);
  if (lists === null) return [];
  return accesses.flatMap((access) => {
    const listPath = joinPath(path, access);
    const list = lists[access] === undefined ? [] : checkList(lists[access], listPath, mostRules, findings);
    return list.flatMap((item, at): FileRule[] => {
      const itemPath = joinPath(listPath, at);
      const rule = check(listedRuleSchema, typeof item === 'string' ? { path: item } : item, itemPath, findings);
      return rule === null ? [] : [inspect({ ...rule, access }, itemPath, findings)];
    });
  });
}

/** A file name may legally hold any character, so the path stays as written and the reader is told. */
function inspect(rule: FileRule, path: string, { notices }: Findings): FileRule {
  const { changes } = normaliseText(rule.path);
  const controls = /[\t\n\r]/.test(rule.path) ? 'it holds a tab or a new line' : '';
  const told = [changes.length > 0 ? describeChanges(changes) : '', controls].filter((text) => text !== '').join('; ');
  if (told !== '') {
    const what = `${quote(rule.path)} is not what it looks like (normalised: ${told}); it is kept as written`;
    notices.push({ id: 'unusual-characters', path, what });
  }
  return { ...rule, path: cleanPath(rule.path) };
}

export function readFiles(value: unknown, path: string, findings: Findings): FileRule[] {
  if (isObject(value)) return fromLists(value, path, findings);
  return checkList(value, path, mostRules, findings).flatMap((item, at): FileRule[] => {
    const itemPath = joinPath(path, at);
    const rule = check(fileRuleSchema, item, itemPath, findings);
    return rule === null ? [] : [inspect(rule, itemPath, findings)];
  });
}
