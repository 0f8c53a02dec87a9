import { z } from 'zod';
import { mebibyte } from '../../../../base/limits.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import type { Inspected } from '../contract.ts';
import { readText } from '../read-file.ts';
import type { CapabilityId, Declarations, ToolDescription } from './contract.ts';

const wordsSchema = z.strictObject({
  note: z.string(),
  process: z.string(),
  'file-write': z.string(),
  'network-out': z.string(),
  'network-listen': z.string(),
  clipboard: z.string(),
  keychain: z.string(),
});

/** Those that a text is expected to mention. */
export type DeclaredId = Exclude<keyof z.infer<typeof wordsSchema>, 'note'>;

const declaring =
  /^(?:README(?:\.\w+)*|server\.json|manifest\.json|package\.json|PKG-INFO|METADATA|[^/]+\.dist-info\/METADATA)$/i;
const largestTextBytes = mebibyte;
const address = /\b(?:https?|git\+?\w*|ssh|wss?):\/\/\S+/gi;

/** Of a package.json only what is meant for people: scripts and dependencies would declare everything. */
function wordsOf(path: string, text: string): string {
  if (!/^package\.json$/i.test(path)) return text;
  try {
    const { description, keywords } = JSON.parse(text) as { description?: unknown; keywords?: unknown };
    return JSON.stringify([description, keywords]);
  } catch {
    return '';
  }
}

export function readDeclarations({ root, files }: Inspected): Declarations {
  const texts = files
    .filter((path) => declaring.test(path))
    .slice(0, 20)
    .flatMap((path) => {
      const read = readText(root, path, largestTextBytes);
      return 'problem' in read ? [] : [{ path, text: wordsOf(path, read.text) }];
    });
  return { texts };
}

export interface Declared {
  /** Undefined for capabilities that nobody is expected to mention, and when there is no text for people at all. */
  readonly says: (id: CapabilityId) => boolean | undefined;
  /** A command of the package that sets up a client is described. */
  readonly hasInstaller: boolean;
}

const installer =
  /\b(?:npx|bunx|uvx|pipx run|pnpm dlx)\s+(?:-y\s+|--yes\s+)?\S+\s+(?:setup|install|init|configure|config|add|register)\b/i;

export function judgeDeclarations({ texts }: Declarations, tools: readonly ToolDescription[]): Declared {
  const words = readRules('capabilities/declarations.json', wordsSchema);
  const people = texts.filter(({ path }) => !/^package\.json$/i.test(path));
  const said = [
    ...texts.map(({ text }) => text.replace(address, ' ')),
    ...tools.map(({ name, description }) => `${name.replace(/[_-]/g, ' ')} ${description ?? ''}`),
  ];
  const isExpected = (id: CapabilityId): id is DeclaredId => id !== ('note' as string) && Object.hasOwn(words, id);
  return {
    says: (id) => {
      if (!isExpected(id) || people.every(({ text }) => text.trim() === '')) return undefined;
      const pattern = new RegExp(words[id], 'i');
      return said.some((text) => pattern.test(text));
    },
    hasInstaller: texts.some(({ text }) => installer.test(text)),
  };
}
