import type { Finding } from '../../../../base/finding-schema.ts';
import { canonicalJson, sha256 } from '../../../../base/fingerprint.ts';
import { asObject } from '../../../../base/json-shape.ts';
import type { Inspected } from '../contract.ts';
import { readBytes, readJson } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { packageRules } from './rules.ts';

/** Compares the published package with the folder of its repository, where that is at hand. */

const code = /\.(?:[cm]?[jt]sx?|py|sh|ps1)$/;
/** Made by a build and not kept in a repository. */
const built =
  /(?:^|\/)(?:dist|build|out|lib|esm|cjs|umd|es|bundle|generated|_generated|node_modules|[^/]+\.egg-info)\/|\.d\.[cm]?ts$|\.min\.js$/;
const comparedFields = ['scripts', 'bin', 'dependencies', 'optionalDependencies'] as const;
const mostNamed = 20;

/** Line ends and a last empty line depend on the machine that packed it. */
function contentHash(root: string, path: string): string | undefined {
  const read = readBytes(root, path);
  if ('problem' in read || !read.isWhole) return undefined;
  return sha256(read.bytes.toString('latin1').replace(/\r\n/g, '\n').trimEnd());
}

function differingFields(published: Inspected, repository: Inspected): readonly string[] {
  const [ours, theirs] = [
    asObject(readJson(published, 'package.json')),
    asObject(readJson(repository, 'package.json')),
  ];
  if (Object.keys(ours).length === 0 || Object.keys(theirs).length === 0) return [];
  return comparedFields
    .filter((field) => canonicalJson(ours[field]) !== canonicalJson(theirs[field]))
    .map((field) => `package.json: ${field}`);
}

export function inspectDifference(published: Inspected, repository: Inspected): readonly Finding[] {
  const theirs = new Set(repository.files);
  const own = published.files.filter((path) => code.test(path));
  const changed = own.filter(
    (path) => theirs.has(path) && contentHash(published.root, path) !== contentHash(repository.root, path),
  );
  const added = own.filter((path) => !theirs.has(path) && !built.test(path));
  const told = [
    ...changed.map((path) => `${path} differs`),
    ...added.map((path) => `${path} is not in the repository`),
    ...differingFields(published, repository),
  ];
  if (told.length === 0) return [];
  return [
    makeFinding(packageRules.differs, {
      identity: ['repository'],
      title: `Published code is not the code of its repository: ${told[0]}${told.length > 1 ? ` and ${told.length - 1} more` : ''}`,
      locations: [...changed, ...added].slice(0, mostNamed).map((path) => ({ path })),
      evidence: [{ kind: 'package', ref: 'repository', excerpt: excerpt(told.slice(0, mostNamed).join('\n')) }],
    }),
  ];
}
