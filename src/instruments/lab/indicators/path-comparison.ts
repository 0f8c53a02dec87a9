/** A file by its name and the folder it lies in. */
export function pathComparison(value: string, separator: string, literal: (text: string) => string): string {
  const cut = value.lastIndexOf(separator);
  const folder = value.slice(0, cut);
  const name = value.slice(cut + 1);
  if (name === '') return `directory:path = ${literal(folder)}`;
  return `file:name = ${literal(name)} AND file:parent_directory_ref.path = ${literal(folder || separator)}`;
}
