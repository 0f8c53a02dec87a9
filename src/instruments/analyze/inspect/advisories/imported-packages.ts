import { builtinModules } from 'node:module';
import { z } from 'zod';
import { mebibyte } from '../../../../base/limits.ts';
import { readRules } from '../../../../base/rules-folder.ts';
import { readBytes } from '../read-file.ts';
import { normalisePythonName } from '../sbom/index.ts';

/**
 * Which packages the server's own code asks for by name. A simple reading of texts: it finds what is written, not what is
 * computed, and says when the code is a bundle in which packages have no import left.
 */

export interface ImportedPackages {
  readonly npm: ReadonlySet<string>;
  /** Names of distributions, as far as they follow from the module. */
  readonly pypi: ReadonlySet<string>;
  readonly hasJavaScript: boolean;
  readonly hasPython: boolean;
  /** Packages are inlined somewhere: one that is not named may still be in there. */
  readonly isBundled: boolean;
}

const largestCodeBytes = 16 * mebibyte;
const javaScript = /\.(?:[cm]?[jt]sx?)$/;
const python = /\.pyi?$/;
const installed = /(?:^|\/)(?:node_modules|site-packages)\//;

const javaScriptImports = [
  /\bfrom\s*["']([^"'\n]{1,214})["']/g,
  /\bimport\s*["']([^"'\n]{1,214})["']/g,
  /\b(?:require|import|require\.resolve|__require)\s*\(\s*["'`]([^"'`\n]{1,214})["'`]/g,
  // esbuild and rollup name the files they have put in.
  /(?:^|\n)\s*(?:\/\/|\/\*) ?(?:\.\.\/)*node_modules\/(?:\.pnpm\/[^/\n]+\/node_modules\/)?((?:@[^/\n]+\/)?[^/\n]+)\//g,
];
const bundleMarks = /__webpack_require__|__commonJS\b|__toESM\b|(?:^|\n)\s*(?:\/\/|\/\*) ?(?:\.\.\/)*node_modules\//;
const largestPlainBytes = 512 * 1024;

const pythonImports = [
  /^[ \t]*import[ \t]+([\w., \t]{1,500})/gm,
  /^[ \t]*from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b/gm,
  /\b(?:import_module|__import__)\(\s*["']([\w.]{1,200})["']/g,
];

function npmName(specifier: string): string | undefined {
  if (/^(?:\.|\/|node:|data:|https?:|#)/.test(specifier)) return undefined;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return builtinModules.includes(name) ? undefined : name;
}

const modulesSchema = z.strictObject({ note: z.string(), modules: z.record(z.string(), z.array(z.string())) });

export function importedPackages(root: string, files: readonly string[]): ImportedPackages {
  const { modules } = readRules('advisories/python-modules.json', modulesSchema);
  const npm = new Set<string>();
  const pypi = new Set<string>();
  let [hasJavaScript, hasPython, isBundled] = [false, false, false];
  for (const path of files) {
    const isPython = python.test(path);
    if (installed.test(path) || (!isPython && !javaScript.test(path))) continue;
    const read = readBytes(root, path, largestCodeBytes);
    if ('problem' in read) continue;
    const text = read.bytes.toString('utf8');
    if (isPython) {
      hasPython = true;
      for (const pattern of pythonImports) {
        for (const [, found = ''] of text.matchAll(pattern)) {
          for (const part of found.split(',')) {
            const module = part.trim().split(/\s+as\s+|\./, 1)[0] ?? '';
            if (module !== '')
              for (const name of Object.hasOwn(modules, module) ? (modules[module] ?? []) : [module])
                pypi.add(normalisePythonName(name));
          }
        }
      }
    } else {
      hasJavaScript = true;
      isBundled ||= bundleMarks.test(text) || read.sizeBytes > largestPlainBytes;
      for (const pattern of javaScriptImports) {
        for (const [, specifier = ''] of text.matchAll(pattern)) {
          const name = npmName(specifier);
          if (name !== undefined) npm.add(name);
        }
      }
    }
  }
  return { npm, pypi, hasJavaScript, hasPython, isBundled };
}
