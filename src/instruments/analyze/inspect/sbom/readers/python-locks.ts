import { TargetError } from '../../../../../base/errors.ts';
import { asArray, asObject, asString, entriesOf, isObject, type JsonObject } from '../../../../../base/json-shape.ts';
import type { Lock, LockEntry } from '../builder.ts';
import type { ComponentHash } from '../graph.ts';
import { hashesOfDigests } from '../integrity.ts';
import { normalisePythonName } from '../purl.ts';
import type { LockReader } from '../reader.ts';
import { parseJsonObject, parseTomlObject } from './parse.ts';
import { dependenciesOfProject, parsePyproject } from './pyproject.ts';

/** poetry.lock, uv.lock and Pipfile.lock. */

const keyOf = (name: string): string => normalisePythonName(name);

/** Several versions of one package lie side by side (markers choose), so a name can lead to more than one entry. */
function indexByName(packages: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const entry of packages) {
    const name = keyOf(asString(entry.name) ?? '');
    index.set(name, [...(index.get(name) ?? []), `${name}@${asString(entry.version) ?? ''}`]);
  }
  return index;
}

const keysFor = (index: ReadonlyMap<string, readonly string[]>, name: string): readonly string[] =>
  index.get(keyOf(name)) ?? [keyOf(name)];

function hashesOfFiles(files: unknown): readonly ComponentHash[] {
  return hashesOfDigests(asArray(files).map((file) => asObject(file).hash));
}

export const poetryLock: LockReader = {
  id: 'poetry-lock',
  title: 'poetry.lock',
  ecosystem: 'pypi',
  isFor: (fileName) => fileName === 'poetry.lock',
  rank: 40,
  read: (text, siblings) => {
    const document = parseTomlObject(text);
    if (!Array.isArray(document.package)) throw new TargetError('lists no packages');
    const packages = document.package.map(asObject);
    const index = indexByName(packages);
    const olderFiles = asObject(asObject(document.metadata).files);
    const entries = packages.map((entry): LockEntry => {
      const name = asString(entry.name) ?? '';
      const isOptional = (need: unknown): boolean =>
        isObject(need) ? need.optional === true || /extra\s*==/.test(asString(need.markers) ?? '') : false;
      const needs = entriesOf(entry.dependencies);
      return {
        key: `${keyOf(name)}@${asString(entry.version) ?? ''}`,
        name,
        version: asString(entry.version),
        hashes: hashesOfFiles(entry.files ?? olderFiles[name]),
        isOptional: entry.optional === true,
        origin: asString(asObject(entry.source).url)?.slice(0, 500),
        needs: needs
          .filter(([, need]) => !isOptional(need))
          .flatMap(([needed]) => keysFor(index, needed))
          .filter((key) => key.includes('@')),
        optionallyNeeds: needs.filter(([, need]) => isOptional(need)).flatMap(([needed]) => keysFor(index, needed)),
      };
    });
    const project = dependenciesOfProject(parsePyproject(siblings('pyproject.toml')));
    const known = (names: readonly string[]): readonly string[] =>
      names.flatMap((name) => index.get(keyOf(name)) ?? []);
    // Without the project file, the lock's own word decides: a category in old ones, groups in new ones.
    const isForDevelopment = (entry: JsonObject): boolean =>
      entry.category === 'dev' || (Array.isArray(entry.groups) && !entry.groups.includes('main'));
    const keysWhere = (wanted: boolean): readonly string[] =>
      entries.filter((_, at) => isForDevelopment(packages[at] ?? {}) === wanted).map(({ key }) => key);
    return {
      ecosystem: 'pypi',
      root: project?.root ?? {},
      entries,
      direct: project === undefined ? keysWhere(false) : known(project.required.map(({ name }) => name)),
      directDevelopment: project === undefined ? keysWhere(true) : known(project.development.map(({ name }) => name)),
      directOptional: known(project?.optional.map(({ name }) => name) ?? []),
      problems: [],
    };
  },
};

/** The project's own package is the one whose source is a folder of the project. */
const isOwn = (entry: JsonObject): boolean => {
  const source = asObject(entry.source);
  return source.virtual !== undefined || source.editable !== undefined;
};

function uvEntry(entry: JsonObject, index: ReadonlyMap<string, readonly string[]>): LockEntry {
  const files = [entry.sdist, ...asArray(entry.wheels)];
  const source = asObject(entry.source);
  return {
    key: `${keyOf(asString(entry.name) ?? '')}@${asString(entry.version) ?? ''}`,
    name: asString(entry.name) ?? '',
    version: asString(entry.version),
    hashes: hashesOfFiles(files.filter(isObject)),
    origin: asString(source.git ?? source.url ?? source.path ?? source.directory ?? source.editable)?.slice(0, 500),
    needs: asArray(entry.dependencies).flatMap((need) => uvKeys(asObject(need), index)),
    optionallyNeeds: Object.values(asObject(entry['optional-dependencies'])).flatMap((group) =>
      asArray(group).flatMap((need) => uvKeys(asObject(need), index)),
    ),
  };
}

/** A need names its version only where there are several. */
function uvKeys(need: JsonObject, index: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const name = asString(need.name) ?? '';
  const version = asString(need.version);
  return version === undefined ? keysFor(index, name) : [`${keyOf(name)}@${version}`];
}

export const uvLock: LockReader = {
  id: 'uv-lock',
  title: 'uv.lock',
  ecosystem: 'pypi',
  isFor: (fileName) => fileName === 'uv.lock',
  rank: 41,
  read: (text): Lock => {
    const document = parseTomlObject(text);
    if (document.version === undefined) throw new TargetError('has no version');
    const packages = asArray(document.package).map(asObject);
    const index = indexByName(packages);
    const own = packages.filter(isOwn);
    const rest = packages.filter((entry) => !isOwn(entry)).map((entry) => uvEntry(entry, index));
    const ownKeys = new Set(own.map((entry) => uvEntry(entry, index).key));
    const strange = (keys: readonly string[]): readonly string[] => keys.filter((key) => !ownKeys.has(key));
    const groups = (kind: string): readonly string[] =>
      strange(
        own.flatMap((entry) =>
          Object.values(asObject(entry[kind])).flatMap((group) =>
            asArray(group).flatMap((need) => uvKeys(asObject(need), index)),
          ),
        ),
      );
    return {
      ecosystem: 'pypi',
      root: { name: asString(own[0]?.name), version: asString(own[0]?.version) },
      entries: rest.map((entry) => ({ ...entry, needs: strange(entry.needs) })),
      direct:
        own.length === 0 ? rest.map(({ key }) => key) : strange(own.flatMap((entry) => uvEntry(entry, index).needs)),
      directDevelopment: groups('dev-dependencies'),
      directOptional: groups('optional-dependencies'),
      problems: [],
    };
  },
};

export const pipfileLock: LockReader = {
  id: 'pipfile-lock',
  title: 'Pipfile.lock',
  ecosystem: 'pypi',
  isFor: (fileName) => fileName === 'Pipfile.lock',
  rank: 39,
  read: (text): Lock => {
    const document = parseJsonObject(text);
    if (!isObject(document.default) && !isObject(document.develop))
      throw new TargetError('has neither default nor develop');
    const section = (kind: string): readonly LockEntry[] =>
      entriesOf(document[kind]).map(([name, value]): LockEntry => {
        const entry = asObject(value);
        const version = asString(entry.version);
        return {
          key: `${keyOf(name)}@${version ?? ''}`,
          name,
          version: version?.replace(/^===?/, ''),
          origin: asString(entry.git ?? entry.file ?? entry.path)?.slice(0, 500),
          hashes: hashesOfDigests(asArray(entry.hashes)),
          needs: [],
        };
      });
    const [running, developing] = [section('default'), section('develop')];
    const runningKeys = new Set(running.map(({ key }) => key));
    return {
      ecosystem: 'pypi',
      root: {},
      entries: [...running, ...developing.filter(({ key }) => !runningKeys.has(key))],
      // The file is flat: it lists every package and no edge, so all hang from the project.
      direct: running.map(({ key }) => key),
      directDevelopment: developing.map(({ key }) => key),
      directOptional: [],
      problems: [],
    };
  },
};
