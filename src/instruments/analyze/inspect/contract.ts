import type { Finding } from '../../../base/finding-schema.ts';

/** What every inspector is given and what it gives back. Nothing of a target is executed by any of them. */

/** An unpacked package: paths are relative to the root, with forward slashes. */
export interface Inspected {
  readonly root: string;
  readonly files: readonly string[];
}

/** Something that could not be read or understood. It is told, so that silence about a file is never taken for its approval. */
export interface Issue {
  readonly path: string;
  readonly problem: string;
}

export interface Inspection<Data> {
  readonly findings: readonly Finding[];
  readonly issues: readonly Issue[];
  readonly data: Data;
}
