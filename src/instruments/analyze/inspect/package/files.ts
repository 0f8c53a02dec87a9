import { posix } from 'node:path';
import type { Finding } from '../../../../base/finding-schema.ts';
import { mebibyte } from '../../../../base/limits.ts';
import type { Inspected, Issue } from '../contract.ts';
import { readBytes } from '../read-file.ts';
import { excerpt, makeFinding } from '../rule.ts';
import { findBlobs, formOf } from './code-form.ts';
import { packageRules } from './rules.ts';

/** Looks into every file of the package, those of bundled dependencies included. */

const largestCodeBytes = 16 * mebibyte;
const headBytes = 4096;
const code = /\.(?:[cm]?[jt]sx?|py)$/;
const nativeFile = /\.(?:node|so(?:\.\d+)*|dylib|dll|pyd)$/;
const notAProgram =
  /\.(?:png|jpe?g|gif|svg|webp|ico|bmp|ttf|otf|woff2?|txt|md|json|ya?ml|toml|css|html?|xml|csv|log|map|[cm]?[jt]sx?|py|sh|mp[34]|wav|pdf|env|lock)$/i;
const installed = /(?:^|\/)(?:node_modules|site-packages)\//;

const magics: readonly { readonly what: string; readonly isIn: (bytes: Buffer) => boolean }[] = [
  { what: 'ELF', isIn: (bytes) => bytes.length >= 16 && bytes.readUInt32BE(0) === 0x7f454c46 },
  {
    what: 'Mach-O',
    isIn: (bytes) =>
      bytes.length >= 16 && [0xcffaedfe, 0xcefaedfe, 0xfeedfacf, 0xfeedface].includes(bytes.readUInt32BE(0)),
  },
  {
    what: 'Mach-O for several machines',
    isIn: (bytes) => bytes.length >= 16 && bytes.readUInt32BE(0) === 0xcafebabe && bytes.readUInt32BE(4) < 20,
  },
  {
    what: 'PE',
    isIn: (bytes) => {
      if (bytes.length < 64 || bytes.readUInt16BE(0) !== 0x4d5a) return false;
      const at = bytes.readUInt32LE(60);
      return at + 4 <= bytes.length && bytes.readUInt32BE(at) === 0x50450000;
    },
  },
];

function lineOf(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function inspectMachineCode(path: string, bytes: Buffer): readonly Finding[] {
  const found = magics.find(({ isIn }) => isIn(bytes));
  if (found === undefined) return [];
  const rule = notAProgram.test(path)
    ? packageRules.disguised
    : nativeFile.test(path)
      ? packageRules.native
      : packageRules.binary;
  return [
    makeFinding(rule, {
      identity: [path],
      title: rule === packageRules.disguised ? `${path} is a program (${found.what})` : `${path}: ${found.what}`,
      locations: [{ path }],
      evidence: [{ kind: 'package', ref: path, excerpt: excerpt(`begins as ${found.what}`) }],
    }),
  ];
}

function inspectCode(path: string, text: string, hasMap: boolean): readonly Finding[] {
  const { isMinified, obfuscation } = formOf(text);
  const findings: Finding[] = [];
  if (obfuscation !== undefined) {
    findings.push(
      makeFinding(packageRules.obfuscated, {
        identity: [path],
        title: `${path}: ${obfuscation}`,
        locations: [{ path, line: 1 }],
        evidence: [{ kind: 'source', ref: `${path}:1`, excerpt: excerpt(text.slice(0, 200)) }],
      }),
    );
  } else if (isMinified && !hasMap && !installed.test(path)) {
    findings.push(
      makeFinding(packageRules.minified, {
        identity: [path],
        title: `${path} is minified`,
        locations: [{ path, line: 1 }],
        evidence: [{ kind: 'source', ref: `${path}:1`, excerpt: excerpt(text.slice(0, 200)) }],
      }),
    );
  }
  const blobs = findBlobs(text);
  const [blob] = blobs;
  if (blob !== undefined) {
    const line = lineOf(text, blob.index);
    const more = blobs.length > 1 ? `, and ${blobs.length - 1} more` : '';
    findings.push(
      makeFinding(packageRules.blob, {
        identity: [path],
        title: `${path} holds ${blob.what} as encoded text${more}`,
        locations: [{ path, line }],
        evidence: [
          { kind: 'source', ref: `${path}:${line}`, excerpt: excerpt(text.slice(blob.index, blob.index + 80)) },
        ],
      }),
    );
  }
  return findings;
}

export function inspectFiles({ root, files }: Inspected): {
  readonly findings: readonly Finding[];
  readonly issues: readonly Issue[];
} {
  const findings: Finding[] = [];
  const issues: Issue[] = [];
  const all = new Set(files);
  for (const path of files) {
    const isCode = code.test(path);
    const read = readBytes(root, path, isCode ? largestCodeBytes : headBytes);
    if ('problem' in read) {
      issues.push({ path, problem: read.problem });
      continue;
    }
    if (isCode && !read.isWhole)
      issues.push({ path, problem: `has ${read.sizeBytes} bytes; ${largestCodeBytes} were looked at` });
    const machine = inspectMachineCode(path, read.bytes);
    findings.push(...machine);
    if (isCode && machine.length === 0)
      findings.push(...inspectCode(path, read.bytes.toString('utf8'), all.has(`${path}.map`)));
    if (posix.basename(path) === 'binding.gyp' && !installed.test(path)) {
      findings.push(
        makeFinding(packageRules.native, {
          identity: [path],
          title: `${path} builds native code`,
          locations: [{ path }],
        }),
      );
    }
  }
  return { findings, issues };
}
