/** What the room of archives passes on. Everything here is plain data: it crosses threads. */

export interface ArchiveLimits {
  /** Of all entries of all nested archives together. */
  readonly totalBytes: number;
  readonly entryBytes: number;
  readonly entries: number;
  /** Unpacked to packed, looked at only above `ratioFloorBytes`. */
  readonly ratio: number;
  readonly ratioFloorBytes: number;
  /** Archives inside archives: 0 opens the outer one only. A `.tar` inside its compression is no level of its own. */
  readonly depth: number;
  readonly milliseconds: number;
  /** What 7-Zip itself may take for dictionaries and tables. */
  readonly memoryBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultArchiveLimits: ArchiveLimits = {
  totalBytes: 256 * mebibyte,
  entryBytes: 200 * mebibyte,
  entries: 10_000,
  ratio: 1_000,
  ratioFloorBytes: 16 * mebibyte,
  depth: 0,
  milliseconds: 60_000,
  memoryBytes: 512 * mebibyte,
};

export interface ArchiveVolume {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const entryTypes = ['file', 'folder', 'link', 'device'] as const;
export type EntryType = (typeof entryTypes)[number];

/** One line of a listing. Names and link targets are untrusted. */
export interface ListedEntry {
  readonly name: string;
  readonly type: EntryType;
  readonly sizeBytes: number;
  readonly packedBytes: number | null;
  readonly isEncrypted: boolean;
  readonly modifiedAt?: string;
  readonly method?: string;
  readonly linkTarget?: string;
}

export interface ArchiveListing {
  /** As 7-Zip names it, in small letters: `zip`, `7z`, `rar5`, `tar`, `gzip`, `iso`. */
  readonly format: string;
  readonly entries: readonly ListedEntry[];
  /** How many there are; the list above may be shorter. */
  readonly entryCount: number;
  readonly isSolid: boolean;
  /** The names themselves are encrypted. */
  readonly isHeaderEncrypted: boolean;
  readonly comment: string | null;
  readonly passwordUsed: string | null;
  readonly notes: readonly string[];
}

export interface ExtractedEntry {
  /** As the archive calls it: untrusted, never a path to write to. */
  readonly name: string;
  /** A relative path that is safe to write to, unlike every other one of this result. */
  readonly path: string;
  /** What the path had to give up against the name. */
  readonly pathNote?: string;
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly modifiedAt?: string;
  readonly isEncrypted: boolean;
  /** Names of the archives it lay in, outermost first, without the one that was asked for. */
  readonly inside: readonly string[];
}

export interface RefusedEntry {
  /** Untrusted. */
  readonly name: string;
  readonly because: string;
}

export interface Extraction {
  readonly format: string;
  readonly entries: readonly ExtractedEntry[];
  readonly passwordUsed: string | null;
  readonly refused: readonly RefusedEntry[];
  /** Not empty: something is missing or deserves a look. */
  readonly notes: readonly string[];
  /** Archives that were opened inside this one. */
  readonly nested: readonly { readonly name: string; readonly format: string; readonly entryCount: number }[];
}

export interface ListOrder {
  readonly name?: string;
  readonly passwords?: readonly string[];
  readonly volumes?: readonly ArchiveVolume[];
  readonly limits?: Partial<ArchiveLimits>;
  readonly signal?: AbortSignal;
}

export interface ExtractOrder extends ListOrder {
  readonly bytes: Uint8Array;
}

export interface CreateOrder {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly password?: string;
  readonly format: 'zip' | '7z';
  /** For zip: AES-256, which 7-Zip and newer tools open, or the weak old cipher that every `unzip` opens. */
  readonly cipher?: 'aes-256' | 'zipcrypto';
  readonly signal?: AbortSignal;
}

export interface CreatedArchive {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly format: 'zip' | '7z';
  readonly cipher: 'aes-256' | 'zipcrypto' | null;
}
