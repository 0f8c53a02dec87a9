import {
  asArray,
  asObject,
  asString,
  asStrings,
  entriesOf,
  isObject,
  type JsonObject,
} from '../../../../../base/json-shape.ts';
import type { LockEntry } from '../builder.ts';
import { normalisePythonName } from '../purl.ts';
import type { LockReader } from '../reader.ts';
import { parseTomlObject } from './parse.ts';
import { parseRequirement, type Requirement } from './python-requirement.ts';

/** pyproject.toml: PEP 621, dependency groups (PEP 735) and Poetry's own tables. It asks for ranges, so it is no lock. */

export interface ProjectDependencies {
  readonly root: { readonly name?: string | undefined; readonly version?: string | undefined };
  readonly required: readonly Requirement[];
  readonly development: readonly Requirement[];
  readonly optional: readonly Requirement[];
}

export function parsePyproject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    return parseTomlObject(text);
  } catch {
    return undefined;
  }
}

/** Poetry writes `name = "^1.2"` or `name = { version = "^1.2", optional = true }`. */
function poetryRequirements(table: unknown): readonly (Requirement & { readonly isOptional: boolean })[] {
  return entriesOf(table)
    .filter(([name]) => name.toLowerCase() !== 'python')
    .map(([name, value]) => {
      const version = asString(value) ?? asString(asObject(value).version);
      const exact =
        version !== undefined && /^(?:==)?\d[\w.!+-]*$/.test(version) ? version.replace(/^==/, '') : undefined;
      const origin = asString(asObject(value).git ?? asObject(value).url ?? asObject(value).path);
      return {
        name,
        version: exact,
        range: version,
        marker: undefined,
        origin,
        hashes: [],
        isOptional: isObject(value) && value.optional === true,
      };
    });
}

const parseAll = (lines: unknown): readonly Requirement[] =>
  asStrings(lines).flatMap((line) => parseRequirement(line) ?? []);

export function dependenciesOfProject(document: JsonObject | undefined): ProjectDependencies | undefined {
  if (document === undefined) return undefined;
  const project = asObject(document.project);
  const poetry = asObject(asObject(document.tool).poetry);
  const fromPoetry = poetryRequirements(poetry.dependencies);
  const poetryGroups = Object.values(asObject(poetry.group)).flatMap((group) =>
    poetryRequirements(asObject(group).dependencies),
  );
  return {
    root: {
      name: asString(project.name) ?? asString(poetry.name),
      version: asString(project.version) ?? asString(poetry.version),
    },
    required: [...parseAll(project.dependencies), ...fromPoetry.filter(({ isOptional }) => !isOptional)],
    development: [
      ...poetryRequirements(poetry['dev-dependencies']),
      ...poetryGroups,
      ...Object.values(asObject(document['dependency-groups'])).flatMap(parseAll),
      ...parseAll(asObject(asObject(document.tool).uv)['dev-dependencies']),
    ],
    optional: [
      ...Object.values(asObject(project['optional-dependencies'])).flatMap(parseAll),
      ...fromPoetry.filter(({ isOptional }) => isOptional),
    ],
  };
}

function entryOf({ name, version, range, origin }: Requirement): LockEntry {
  return { key: `${normalisePythonName(name)}${range ?? origin ?? ''}`, name, version, range, origin, needs: [] };
}

export const pyproject: LockReader = {
  id: 'pyproject',
  title: 'pyproject.toml',
  ecosystem: 'pypi',
  isFor: (fileName) => fileName === 'pyproject.toml',
  rank: 10,
  read: (text) => {
    const document = parseTomlObject(text);
    const project = dependenciesOfProject(document) ?? { root: {}, required: [], development: [], optional: [] };
    const [required, development, optional] = [project.required, project.development, project.optional].map((list) =>
      list.map(entryOf),
    );
    const keys = (list: readonly LockEntry[] | undefined): readonly string[] => (list ?? []).map(({ key }) => key);
    const dynamic = asArray(asObject(document.project).dynamic).includes('dependencies');
    return {
      ecosystem: 'pypi',
      root: project.root,
      entries: [...(required ?? []), ...(development ?? []), ...(optional ?? [])],
      direct: keys(required),
      directDevelopment: keys(development),
      directOptional: keys(optional),
      problems: dynamic ? ['computes its dependencies when it is built'] : [],
      isPartial: true,
    };
  },
};
