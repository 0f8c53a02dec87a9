import { placeholdersIn, replacePlaceholders } from './placeholders.ts';

/** Whether a proposed value is worth a trial: it can prove something, and it does nothing else. */

/** What must be around a placeholder, so that a tool that does what it is there for is no hit. */
const shapes: Readonly<Record<string, RegExp>> = {
  // A bare path or product is what an honest caller gives to a tool that takes one.
  'argument-injection': /^\s*-/,
  'sql-injection': /['"`]|\b(?:union|select|case|values)\b/i,
  template: /\{\{|\{%|\$\{|#\{|<%|@\(|\*\{|#set/,
  'code-eval': /[([`]/,
  deserialisation: /[!{(]/,
  xxe: /^\s*</,
  xss: /^\s*["'<]/,
  crlf: /[\r\n\u560a\u560d]|%0[ad]/i,
};

/** A marker is the only effect a trial may have, also inside a box: what it destroys is missing in later ones. */
const harm =
  /\b(?:rm|dd|mkfs|shred|shutdown|reboot|halt|poweroff|kill|pkill|killall|fork|chmod|chown|mv)\b\s|\brm\b|:\s*\(\s*\)\s*\{|\b(?:drop|truncate|alter)\s+(?:table|database|schema|view|index)\b|\bdelete\s+from\b|\bupdate\s+\S+\s+set\b|\bwhile\s+(?:true|1)\b|\bfor\s*\(\s*;\s*;|rmtree|unlink|rmSync|rmdir|os\.remove|process\.(?:exit|kill)|sys\.exit|os\._exit|>\s*\/dev\/sd/i;

/** `[[name]]` is how the class files write holes. */
const hole = /\[\[[A-Za-z][\w:-]*\]\]/;

export type ValueProblem = 'no-placeholder' | 'shape' | 'harm';

export function judgeValue(kind: string, value: string): ValueProblem | null {
  const used = placeholdersIn(value);
  if (!used.some(({ like }) => Object.hasOwn(like, kind))) return 'no-placeholder';
  if (hole.test(value)) return 'shape';
  const around = replacePlaceholders(value, () => ' ');
  if (harm.test(around)) return 'harm';
  const shape = shapes[kind];
  return shape === undefined || shape.test(around) ? null : 'shape';
}
