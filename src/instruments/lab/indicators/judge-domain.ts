import { type HostReading, isDocumentation } from './hosts.ts';
import {
  codeEndings,
  codeRoots,
  dotnetRoots,
  javaRoots,
  networkWords,
  plainEndings,
  reversedRoots,
} from './tables/code-words.ts';
import { extensionWeight, fileCommands, fileStems, stockFiles } from './tables/file-names.ts';
import { lookUpHost } from './tables/known-hosts.ts';

/** How sure it is that something in the form of a domain is one. Nothing is dropped here: noise has its reason. */

export interface Surroundings {
  /** In a URL, an e-mail address or a share: then it is a host and nothing else. */
  readonly isHost: boolean;
  /** As it was spelled: capitals tell namespaces from hosts. */
  readonly spelled: string;
  /** On the same line, in small letters. */
  readonly before: string;
  readonly after: string;
  readonly includePrivateAddresses: boolean;
}

export interface Judgement {
  readonly confidence: number;
  readonly noise?: string | undefined;
  /** The same text is a name of a file as well, as surely as this. */
  readonly fileConfidence?: number;
}

/** Two letters and no more, and yet known to all. */
const shortHosts = new Set(['t.co', 'x.com', 't.me', 'g.co', 'z.cn', 'a.co', 'q.com', 'n.pr', 'x.org', 'i.am', 'o.co']);
const mimeTypes = /(?:application|text|image|audio|video|multipart|message|font|model)\/$/;

function isNetwork(around: Surroundings): boolean {
  return (
    networkWords.test(around.before) ||
    /^:\d{1,5}(?!\d|[.:]\d)/.test(around.after) ||
    /^\/[a-z0-9~?]/.test(around.after) ||
    /\/\/$/.test(around.before)
  );
}

function codeReason(reading: HostReading, around: Surroundings): string | undefined {
  const [first = '', second = ''] = reading.labels;
  const { spelled } = around;
  const count = reading.labels.length;
  const isPlain = plainEndings.has(reading.ending);
  if (mimeTypes.test(around.before) || first === 'vnd') return 'looks like a part of a MIME type';
  if (/\.$/.test(around.before) && !isPlain) return 'looks like the name of a section or a hidden file';
  if (/%$/.test(around.before) && !isPlain) return 'looks like a format of a text';
  if (dotnetRoots.has(first) && /^[A-Z]/.test(spelled)) return 'looks like a .NET namespace';
  if (javaRoots.has(first) && (count > 2 || !isPlain)) return 'looks like a Java package';
  if (reversedRoots.has(first) && count >= 3 && !isPlain) return 'looks like a Java package';
  if (/^(?:[A-Z][a-z0-9]+[A-Za-z0-9]*\.)+[A-Z][a-z]+[A-Za-z0-9]*$/.test(spelled) && !isPlain)
    return 'looks like a .NET namespace';
  if (/^\s?\(/.test(around.after) && !/^\s\(/.test(around.after)) return 'looks like a call in program code';
  if (codeRoots.has(first) && count === 2 && (codeEndings.has(reading.ending) || !isPlain))
    return 'looks like program code';
  if (codeEndings.has(reading.ending) && /[a-z][A-Z]/.test(spelled)) return 'looks like program code';
  if (codeEndings.has(reading.ending) && /^\s{0,2}(?:[-+*/]?=|\+\+|\[)/.test(around.after))
    return 'looks like program code';
  if (count === 2 && first.length === 1 && second.length <= 3 && !shortHosts.has(reading.host))
    return 'too short, looks like program code';
  return undefined;
}

/** An ending that files have, too: both readings are given, the likelier one with more weight. */
function fileReading(reading: HostReading, around: Surroundings, isNetworkHost: boolean): Judgement | undefined {
  const { ending, labels } = reading;
  const weight = ending === 'com' || ending === 'app' ? 0 : extensionWeight(ending);
  if (weight === 0 || isNetworkHost || labels[0] === 'www') return undefined;
  const stem = labels.slice(0, -1).join('.');
  const looksLikeFile =
    fileStems.has(stem) ||
    fileStems.has(labels[0] ?? '') ||
    stockFiles.has(reading.host) ||
    stem.includes('_') ||
    /^[A-Z]+[a-z0-9]+[A-Z]|^README|^[A-Z]{3,}\.[a-z]/.test(around.spelled) ||
    fileCommands.test(around.before) ||
    /[/\\]$/.test(around.before) ||
    (labels.length > 2 && extensionWeight(labels.at(-2) ?? '') > 0);
  if (looksLikeFile) return { confidence: 0.15, noise: 'looks like a file name', fileConfidence: 0.5 };
  if (labels.length > 2) return { confidence: 0.4, fileConfidence: 0.25 };
  return { confidence: 0.3, fileConfidence: 0.4 };
}

function confidenceOf(reading: HostReading, isNetworkHost: boolean): number {
  if (reading.kind === 'reserved' || isDocumentation(reading.host)) return 0.3;
  if (reading.kind === 'alternative') return isNetworkHost ? 0.6 : 0.3;
  return isNetworkHost ? 0.6 : 0.5;
}

export function judgeDomain(reading: HostReading, around: Surroundings): Judgement {
  const isNetworkHost = around.isHost || reading.labels[0] === 'www' || isNetwork(around);
  if (reading.kind === 'local') {
    return around.includePrivateAddresses ? { confidence: 0.3 } : { confidence: 0.1, noise: 'name of a local network' };
  }
  const known = lookUpHost(reading.host);
  if (known.reason !== undefined) return { confidence: 0.1, noise: known.reason };
  if (reading.kind !== 'public' && !isNetworkHost && reading.labels.length < 3)
    return { confidence: 0.1, noise: 'not a public ending, and nothing around says that it is a host' };
  if (!around.isHost && reading.labels[0] !== 'www') {
    const code = codeReason(reading, around);
    if (code !== undefined) return { confidence: 0.1, noise: code };
    const file = fileReading(reading, around, isNetworkHost);
    if (file !== undefined) return file;
  }
  return { confidence: known.shared ? 0.35 : confidenceOf(reading, isNetworkHost) };
}
