import { foldBatch } from './batch.ts';
import { bestText, bytesOf, fromBase64 } from './decoders.ts';
import { foldScript } from './fold/fold.ts';
import { guessLanguage, type ScriptLanguage } from './languages.ts';
import { markupLanguages, readMarkup } from './markup.ts';
import { findPayloads, payloadOf } from './payloads.ts';
import { foldShell } from './shell.ts';
import { printableShare } from './text-encoding.ts';
import { decodeScriptBlocks } from './vbe.ts';

/** Takes a script apart layer by layer. Nothing is run: constants are computed, encodings undone. */

export interface Layer {
  readonly text: string;
  readonly language: ScriptLanguage;
  readonly how: string;
  /** Its place in the list that it came out of: 0 is the script itself. */
  readonly from: number;
}

export interface Peeled {
  /** The first is the script itself. */
  readonly layers: readonly Layer[];
  readonly binaries: readonly { readonly how: string; readonly bytes: Uint8Array; readonly from: number }[];
  /** Short texts that came out of decoding, one to a line. */
  readonly strings: readonly string[];
  readonly foldedExpressions: number;
  /** There was more than is kept. */
  readonly cut: boolean;
}

const limits = {
  layers: 13,
  layerCharacters: 4_000_000,
  allCharacters: 16_000_000,
  binaries: 40,
  strings: 2000,
  short: 40,
  folds: 2,
};

const encodedCommand = /(?:^|[\s"'`^])[-/\u2013\u2014]e(?:nc?|nco\w{0,12})?[\s"'^]{1,40}([A-Za-z0-9+/]{16,}={0,2})/gi;
const plainCommand =
  /\b(?:powershell|pwsh)(?:\.exe)?["']?\s[^\n]{0,400}?-c(?:ommand)?\s{1,20}("(?:[^"]|""){4,20000}"|'[^']{4,20000}'|[^\n]{4,20000})/gi;
const inlineScript = /\bmshta(?:\.exe)?["']?\s{1,20}["']?(javascript|vbscript):([^\n]{4,20000})/gi;

interface Waiting {
  readonly layer: Layer;
  readonly folds: number;
}

export function peelScript(text: string, language: ScriptLanguage, tick: () => void): Peeled {
  const layers: Layer[] = [];
  const waiting: Waiting[] = [];
  const binaries: { how: string; bytes: Uint8Array; from: number }[] = [];
  const strings = new Set<string>();
  const seen = new Set<string>();
  const seenBytes = new Set<string>();
  let characters = 0;
  let foldedExpressions = 0;
  let cut = false;

  const addLayer = (layer: Layer, folds = 0): void => {
    const kept = layer.text.slice(0, limits.layerCharacters);
    const key = kept.trim();
    if (key === '' || seen.has(key)) return;
    if (layers.length >= limits.layers || characters + kept.length > limits.allCharacters) {
      cut = true;
      return;
    }
    seen.add(key);
    characters += kept.length;
    const mine = { ...layer, text: kept };
    layers.push(mine);
    waiting.push({ layer: mine, folds });
  };
  const addBinary = (bytes: Uint8Array, how: string, from: number): void => {
    const key = `${bytes.length}:${Buffer.from(bytes.subarray(0, 64)).toString('latin1')}`;
    if (seenBytes.has(key)) return;
    seenBytes.add(key);
    if (binaries.length >= limits.binaries) cut = true;
    else binaries.push({ bytes, how, from });
  };
  /** Bytes as latin1 that came out of a decoder: a layer, a file, or a short text. */
  const addDecoded = (value: string, how: string, from: number, fallback: ScriptLanguage): void => {
    const wide = [...value.slice(0, 2000)].some((character) => character > '\xff');
    const payload = wide ? { how, text: value, bytes: Buffer.from(value, 'utf8') } : payloadOf(value, how);
    if (payload === undefined) return;
    if (payload.text === undefined) addBinary(payload.bytes, payload.how, from);
    else if (payload.text.length < limits.short && !/[;(|{=]/.test(payload.text)) {
      if (strings.size < limits.strings) strings.add(payload.text);
    } else addLayer({ text: payload.text, how: payload.how, from, language: guessLanguage(payload.text) ?? fallback });
  };

  const fold = ({ layer, folds }: Waiting, at: number): void => {
    if (folds >= limits.folds) return;
    const { text: source, language: mine } = layer;
    const batch = mine === 'batch' ? { ...foldBatch(source, tick), decoded: [], run: [] } : undefined;
    const shell = mine === 'shell' ? { ...foldShell(source, tick), run: [] } : undefined;
    const folded = batch ?? shell ?? foldScript(source, mine, tick);
    if (folded === undefined) return;
    foldedExpressions += folded.steps;
    for (const { how, text: code } of folded.run) {
      if (code.length >= 4 && printableShare(code) > 0.8)
        addLayer({ text: code, how: `given to ${how}`, from: at, language: guessLanguage(code) ?? mine });
    }
    for (const { how, text: value } of folded.decoded) addDecoded(value, how, at, mine);
    if (folded.steps > 0 && folded.text.trim() !== source.trim()) {
      addLayer({ text: folded.text, how: 'constants put in place', from: at, language: mine }, folds + 1);
    }
  };

  const commands = (source: string, at: number): void => {
    let count = 0;
    for (const match of source.matchAll(encodedCommand)) {
      const decoded = fromBase64(match[1] ?? '');
      const command = decoded === undefined ? '' : bestText(decoded);
      if (printableShare(command) > 0.9)
        addLayer({ text: command, how: 'PowerShell -EncodedCommand', from: at, language: 'powershell' });
      count += 1;
      if (count > 50) break;
    }
    for (const match of source.matchAll(plainCommand)) {
      const inner = (match[1] ?? '').replace(/^(["'])([\s\S]*)\1$/, '$2');
      if (!/^\s*-?e/i.test(inner))
        addLayer({ text: inner, how: 'PowerShell -Command', from: at, language: 'powershell' });
      count += 1;
      if (count > 100) break;
    }
    for (const match of source.matchAll(inlineScript)) {
      addLayer({
        text: match[2] ?? '',
        how: 'script in a command',
        from: at,
        language: match[1]?.toLowerCase() === 'vbscript' ? 'vbscript' : 'javascript',
      });
      count += 1;
      if (count > 150) break;
    }
  };

  addLayer({ text, language, how: 'the script', from: 0 });
  for (let at = 0; at < waiting.length; at += 1) {
    tick();
    const item = waiting[at];
    if (item === undefined) break;
    const { layer } = item;
    for (const block of layer.text.includes('#@~^') ? decodeScriptBlocks(layer.text) : []) {
      addLayer({
        text: block.text,
        how: `script encoding${block.whole ? '' : ', checksum differs'}`,
        from: at,
        language: guessLanguage(block.text) === 'javascript' ? 'javascript' : 'vbscript',
      });
    }
    if (markupLanguages.has(layer.language)) {
      const markup = readMarkup(layer.text, tick);
      for (const script of markup.scripts)
        addLayer({ text: script.text, how: script.where, from: at, language: script.language });
      for (const { type, data } of markup.dataUris) {
        if (type.startsWith('image/') && type !== 'image/svg+xml') continue;
        const payload = payloadOf(data, `data address, ${type}`);
        if (payload?.text === undefined) addBinary(bytesOf(data), `data address, ${type}`, at);
        else
          addLayer({ text: payload.text, how: payload.how, from: at, language: guessLanguage(payload.text) ?? 'html' });
      }
    }
    fold(item, at);
    commands(layer.text, at);
    if (layer.how !== 'constants put in place' || at < 4) {
      for (const payload of findPayloads(layer.text, tick)) {
        if (payload.text === undefined) addBinary(payload.bytes, payload.how, at);
        else addDecoded(Buffer.from(payload.bytes).toString('latin1'), payload.how, at, layer.language);
      }
    }
  }
  return { layers, binaries, strings: [...strings], foldedExpressions, cut };
}
