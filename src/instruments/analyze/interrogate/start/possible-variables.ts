import { listOwn, readOwnText } from './own-files.ts';

/**
 * Names of variables that a target may turn out to want. A box lets in only what its policy names, and the policy is made
 * before the first start has failed.
 */

const mostNames = 600;
const mostFiles = 400;
const deepest = 6;
const readable = /\.(?:[cm]?[jt]sx?|py|json|md|toml|ya?ml|txt|env|example)$|METADATA$/i;
const passedOver = /^(?:node_modules|site-packages|\.git|test|tests|__pycache__)$/;
const names = /(?<![A-Za-z0-9_])[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}(?![A-Za-z0-9_])/g;
const reads = /(?:process\.env\.|environ\.get\(\s*["']|environ\[\s*["']|getenv\(\s*["'])([A-Z][A-Z0-9_]{1,80})/g;
/** What makes a program load code, or is the box's own to set. */
const never =
  /^(?:PATH|HOME|LD_[A-Z_]+|NODE_OPTIONS|NODE_PATH|PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|BASH_ENV|GIT_[A-Z_]+)$/;

/** Files of a folder, those near the top first. */
function* ownFiles(folder: string): Generator<string> {
  const waiting = [{ path: '', depth: 0 }];
  let count = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const name of listOwn(folder, next.path)) {
      const path = next.path === '' ? name : `${next.path}/${name}`;
      if (readable.test(name)) {
        yield path;
        count += 1;
        if (count >= mostFiles) return;
      } else if (!name.includes('.') && !passedOver.test(name) && next.depth < deepest)
        waiting.push({ path, depth: next.depth + 1 });
    }
  }
}

export function possibleVariables(folder: string): readonly string[] {
  const read = new Set<string>();
  const named = new Set<string>();
  for (const path of ownFiles(folder)) {
    const text = readOwnText(folder, path) ?? '';
    for (const [, name = ''] of text.matchAll(reads)) read.add(name);
    for (const [name] of text.matchAll(names)) if (named.size < mostNames * 2) named.add(name);
    if (read.size >= mostNames) break;
  }
  return [...new Set([...read, ...named])].filter((name) => !never.test(name)).slice(0, mostNames);
}
