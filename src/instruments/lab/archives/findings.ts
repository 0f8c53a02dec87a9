import type { LabEvidence, LabFinding } from '../contract.ts';
import type { ArchiveListing, ListedEntry } from './contract.ts';
import { hasDirectionMark, hasDoubleEnding, hasSpaceRun, nameClass } from './names.ts';
import { pointsOutside } from './safe-path.ts';

/** Rules over a listing, as a table: which entries, and what that can mean. */

interface EntryRule extends Omit<LabFinding, 'evidence'> {
  readonly matches: (entry: ListedEntry, listing: ArchiveListing) => boolean;
  readonly shows?: (entry: ListedEntry) => string;
}

const mostEvidence = 10;
const mostExcerpt = 400;
const diskImages: ReadonlySet<string> = new Set(['iso', 'udf', 'vhd', 'vhdx', 'wim', 'dmg', 'fat', 'ntfs', 'vmdk']);

const entryRules: readonly EntryRule[] = [
  {
    rule: 'archive.name.outside',
    title: 'an entry is named so that it would be unpacked outside of its folder',
    severity: 'high',
    evidenceType: 'structural',
    benign: 'Some backup tools store absolute paths.',
    matches: ({ name }) => pointsOutside(name),
  },
  {
    rule: 'archive.name.double-ending',
    title: 'an entry that runs has the ending of a document before its own',
    severity: 'high',
    evidenceType: 'structural',
    attack: ['T1036.007'],
    benign: 'Names with several dots, such as a program named after a document it converts.',
    matches: ({ name, type }) => type === 'file' && hasDoubleEnding(name),
  },
  {
    rule: 'archive.name.disguised',
    title: 'the name of an entry hides its ending with marks of direction or many spaces',
    severity: 'high',
    evidenceType: 'structural',
    attack: ['T1036.002'],
    benign: 'File names in Arabic or Hebrew can carry marks of direction.',
    matches: ({ name }) => hasDirectionMark(name) || hasSpaceRun(name),
  },
  {
    rule: 'archive.link.outside',
    title: 'a link leads out of the archive',
    severity: 'medium',
    evidenceType: 'structural',
    benign: 'Images of whole systems hold absolute links.',
    matches: ({ linkTarget }) => linkTarget !== undefined && pointsOutside(linkTarget),
    shows: ({ name, linkTarget }) => `${name} -> ${linkTarget}`,
  },
  {
    rule: 'archive.image.program',
    title: 'a disk image holds programs, scripts or shortcuts',
    severity: 'medium',
    evidenceType: 'structural',
    attack: ['T1553.005'],
    benign: 'Installation media are disk images with programs in them.',
    matches: ({ name }, { format }) => diskImages.has(format) && ['program', 'script'].includes(nameClass(name) ?? ''),
  },
  {
    rule: 'archive.script',
    title: 'the archive holds scripts or shortcuts that run when they are opened',
    severity: 'low',
    evidenceType: 'structural',
    attack: ['T1204.002'],
    benign: 'Source code and administration packages hold scripts.',
    matches: ({ name }, { format }) => !diskImages.has(format) && nameClass(name) === 'script',
  },
  {
    rule: 'archive.nested',
    title: 'the archive holds further archives',
    severity: 'info',
    evidenceType: 'structural',
    benign: 'Packages of packages are common.',
    matches: ({ name, type }) => type === 'file' && nameClass(name) === 'archive',
  },
];

function evidenceOf(entry: ListedEntry, show: (entry: ListedEntry) => string): LabEvidence {
  return { where: 'entry of the archive', text: show(entry).slice(0, mostExcerpt) };
}

export function findInListing(listing: ArchiveListing): readonly LabFinding[] {
  const found = entryRules.flatMap(({ matches, shows = ({ name }) => name, ...rule }) => {
    const hits = listing.entries.filter((entry) => matches(entry, listing));
    const evidence = hits.slice(0, mostEvidence).map((entry) => evidenceOf(entry, shows));
    return hits.length === 0 ? [] : [{ ...rule, evidence }];
  });
  const encrypted = listing.entries.filter(({ isEncrypted }) => isEncrypted);
  return encrypted.length === 0 && !listing.isHeaderEncrypted
    ? found
    : [...found, encryptedFinding(listing, encrypted)];
}

function encryptedFinding(listing: ArchiveListing, encrypted: readonly ListedEntry[]): LabFinding {
  return {
    rule: 'archive.encrypted',
    title: listing.isHeaderEncrypted ? 'contents and names are encrypted' : 'entries are encrypted',
    severity: 'low',
    evidenceType: 'structural',
    evidence: encrypted.slice(0, mostEvidence).map((entry) => evidenceOf(entry, ({ name }) => name)),
    benign: 'Confidential files, and samples passed between analysts, are encrypted too.',
    attack: ['T1027.013'],
  };
}

export function bombFinding(reason: string, sizeBytes: number): LabFinding {
  return {
    rule: 'archive.bomb',
    title: 'the archive would unpack to far more than it takes',
    severity: 'medium',
    evidenceType: 'structural',
    evidence: [{ where: `archive of ${sizeBytes} bytes`, text: reason.slice(0, mostExcerpt) }],
    benign: 'Images of empty disks and sparse logs compress that well.',
    attack: ['T1499'],
  };
}
