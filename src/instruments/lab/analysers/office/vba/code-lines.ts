/** Comments and the attribute lines that every module begins with are no code. */
export function codeLines(source: string): string[] {
  return source
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !/^\s*(?:Attribute\s|'|Rem\s|Option\s)/i.test(line));
}
