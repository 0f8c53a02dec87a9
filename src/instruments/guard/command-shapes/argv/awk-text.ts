/** Whether a program of awk starts others: strings and comments in it do not count, pipes and `system` do. */

const literals = /"(?:[^"\\\n]|\\.)*"|#[^\n]*|\/(?:[^/\\\n]|\\.)+\/(?=\s*[{~&|,)]|\s*$)/g;
const starters = /\bsystem\s*\(|\|&?\s*getline\b|\b(?:print|printf)\b[^;}\n]*\|(?!\|)|\|&|@load\b/;

export function startsPrograms(text: string): boolean {
  return starters.test(text.slice(0, 8192).replace(literals, '""'));
}
