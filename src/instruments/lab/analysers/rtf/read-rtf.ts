import { tokeniseRtf } from './tokenise.ts';

/** The parts of an RTF document that can do something: objects, templates, fields, stored data. */

export interface RtfObject {
  readonly at: number;
  /** Control words of the object: `objemb`, `objupdate`. */
  readonly words: readonly string[];
  readonly className: string;
  /** What its hex digits come to. */
  readonly data: Uint8Array;
  /** Signs between the digits that are no digits and no blanks. */
  readonly noise: number;
}

export interface RtfDocument {
  readonly objects: readonly RtfObject[];
  readonly templates: readonly string[];
  readonly fields: readonly string[];
  readonly stores: readonly Uint8Array[];
  readonly info: Readonly<Record<string, string>>;
  readonly controlWords: number;
  readonly groups: number;
  readonly depth: number;
  /** Behind the brace that closes the document; -1 when none does. */
  readonly end: number;
  readonly unknownIgnored: number;
  readonly notes: readonly string[];
}

const limits = { depth: 10_000, objects: 200, text: 64 * 1024, data: 32 * 1024 * 1024, fields: 2000 } as const;

/** Groups whose text is kept, by their first word. */
const destinations: Readonly<Record<string, string>> = {
  objdata: 'data',
  datastore: 'data',
  template: 'text',
  fldinst: 'text',
  objclass: 'text',
  author: 'text',
  title: 'text',
  operator: 'text',
  company: 'text',
  generator: 'text',
  subject: 'text',
  doccomm: 'text',
};

const infoWords = ['author', 'title', 'operator', 'company', 'generator', 'subject', 'doccomm'];

interface Sink {
  readonly word: string;
  text: string;
  readonly bytes: number[];
  half: number;
  noise: number;
}

interface Group {
  sink: Sink | null;
  /** Set by `\*`: an unknown word behind it makes the group one to skip. */
  isOptional: boolean;
  isSkipped: boolean;
  object: { at: number; words: string[]; className: string } | null;
  /** Characters that stand behind a unicode one for old readers. */
  skip: number;
}

interface Reading {
  readonly stack: Group[];
  readonly objects: RtfObject[];
  readonly templates: string[];
  readonly fields: string[];
  readonly stores: Uint8Array[];
  readonly info: Record<string, string>;
  readonly notes: Set<string>;
  kept: number;
  readonly keepsIgnored: boolean;
}

/** Words that stay as they are inside of data: Word goes on reading digits behind them. */
const optionalWords = new Set([
  ...Object.keys(destinations),
  'objname',
  'objtime',
  'fldrslt',
  'info',
  'pict',
  'shppict',
  'result',
  'blipuid',
  'ud',
  'upr',
]);

function pushDigit(reading: Reading, sink: Sink, value: number): void {
  if (sink.half === -1) {
    sink.half = value;
    return;
  }
  if (reading.kept < limits.data) {
    sink.bytes.push(sink.half * 16 + value);
    reading.kept += 1;
  }
  sink.half = -1;
}

function feedText(reading: Reading, group: Group, text: string): void {
  const sink = group.sink;
  if (sink === null || group.isSkipped) return;
  if (destinations[sink.word] === 'text') {
    const from = Math.min(group.skip, text.length);
    group.skip -= from;
    if (sink.text.length < limits.text) sink.text += text.slice(from).replace(/[\r\n]/g, '');
    return;
  }
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const small = code | 0x20;
    if (code >= 0x30 && code <= 0x39) pushDigit(reading, sink, code - 0x30);
    else if (small >= 0x61 && small <= 0x66) pushDigit(reading, sink, small - 0x57);
    else if (code > 0x20) sink.noise += 1;
  }
}

function finish(reading: Reading, sink: Sink, group: Group): void {
  const text = sink.text.trim();
  const data = (): Uint8Array => Uint8Array.from(sink.bytes);
  if (sink.word === 'objdata') {
    const object = group.object ?? { at: 0, words: [], className: '' };
    if (reading.objects.length < limits.objects) reading.objects.push({ ...object, data: data(), noise: sink.noise });
  } else if (sink.word === 'datastore') {
    if (reading.stores.length < limits.objects) reading.stores.push(data());
  } else if (sink.word === 'template') reading.templates.push(text);
  else if (sink.word === 'objclass') {
    if (group.object !== null) group.object.className = text;
  } else if (sink.word === 'fldinst') {
    if (reading.fields.length < limits.fields) reading.fields.push(text);
  } else if (infoWords.includes(sink.word) && text !== '') reading.info[sink.word] ??= text;
}

function onControl(reading: Reading, group: Group, word: string, value: number | null, at: number): void {
  if (word === '*') {
    group.isOptional = true;
    return;
  }
  const optional = group.isOptional;
  group.isOptional = false;
  if (group.isSkipped) return;
  if (word === 'object') group.object = { at, words: [], className: '' };
  else if (/^obj(?!data|class)/.test(word) && group.object !== null && group.object.words.length < 50)
    group.object.words.push(word);
  if (
    destinations[word] !== undefined &&
    (group.sink === null || group.sink.word !== 'objdata' || word === 'objdata')
  ) {
    if (group.sink?.word === word && word === 'objdata') return;
    group.sink = { word, text: '', bytes: [], half: -1, noise: 0 };
  } else if (optional && !optionalWords.has(word)) {
    group.isSkipped = !(reading.keepsIgnored && group.sink?.word === 'objdata');
    if (group.sink !== null) group.sink.noise += 1;
  } else if (word === 'u' && value !== null) {
    feedText(reading, { ...group, skip: 0 }, String.fromCharCode(value & 0xffff));
    if (group.sink !== null && destinations[group.sink.word] === 'text') group.skip = 1;
  } else if (word === 'tab' || word === 'par' || word === 'line') feedText(reading, group, ' ');
  else if (group.sink?.word === 'objdata' && !word.startsWith('obj')) group.sink.noise += 1;
}

/** With `keepsIgnored` the digits in groups that are to be ignored count as well: readers differ in this. */
export function readRtf(bytes: Uint8Array, tick: () => void, keepsIgnored = false): RtfDocument {
  const reading: Reading = {
    stack: [],
    objects: [],
    templates: [],
    fields: [],
    stores: [],
    info: {},
    notes: new Set(),
    kept: 0,
    keepsIgnored,
  };
  const base: Group = { sink: null, isOptional: false, isSkipped: false, object: null, skip: 0 };
  const counts = { words: 0, groups: 0, depth: 0, ignored: 0 };
  let end = -1;
  let overflow = 0;
  const top = (): Group => reading.stack.at(-1) ?? base;

  const close = (at: number): void => {
    if (overflow > 0) {
      overflow -= 1;
      return;
    }
    const group = reading.stack.pop();
    if (group === undefined) return;
    if (group.isSkipped) counts.ignored += 1;
    const outer = top();
    // Data goes on behind an inner group: only the group that began it ends it.
    if (group.sink !== null && group.sink !== outer.sink) {
      finish(reading, group.sink, group);
      if (group.sink.word === 'fldinst' && outer.sink?.word === 'fldinst') outer.sink.text += group.sink.text;
    }
    if (reading.stack.length === 0 && end === -1) end = at + 1;
  };

  tokeniseRtf(
    bytes,
    {
      open() {
        counts.groups += 1;
        if (reading.stack.length >= limits.depth) {
          overflow += 1;
          reading.notes.add('groups are nested deeper than is read');
          return;
        }
        const outer = top();
        reading.stack.push({ ...outer, isOptional: false, skip: 0 });
        counts.depth = Math.max(counts.depth, reading.stack.length);
      },
      close,
      control(word, value, at) {
        counts.words += 1;
        onControl(reading, top(), word, value, at);
      },
      hex(value) {
        const group = top();
        // Inside of data Word skips such a sign, and forgets the digit before it when that one was odd.
        if (group.sink !== null && destinations[group.sink.word] === 'data') {
          group.sink.noise += 1;
          group.sink.half = -1;
        } else feedText(reading, group, String.fromCharCode(value));
      },
      text: (text) => feedText(reading, top(), text),
      binary(data) {
        const { sink, isSkipped } = top();
        if (sink === null || isSkipped || destinations[sink.word] !== 'data') return;
        const room = Math.min(data.length, Math.max(limits.data - reading.kept, 0));
        for (let at = 0; at < room; at += 1) sink.bytes.push(data[at] ?? 0);
        reading.kept += room;
      },
    },
    tick,
  );
  if (reading.stack.length > 0) reading.notes.add('the document ends inside of a group');
  while (reading.stack.length > 0) close(bytes.length - 1);
  return {
    ...reading,
    controlWords: counts.words,
    groups: counts.groups,
    depth: counts.depth,
    end,
    unknownIgnored: counts.ignored,
    notes: [...reading.notes],
  };
}
