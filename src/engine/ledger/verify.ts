import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { asArray, asNumber, asObject } from '../../base/json-shape.ts';
import { type SignedCheckpoint, toCheckpoint } from './checkpoint.ts';
import { checkpointsName } from './checkpoint-file.ts';
import { ChainBreak, firstDifference, type ReadPlace, type Suspicion } from './diagnosis.ts';
import { type Head, noteProblem, readHeads } from './heads.ts';
import { readHint } from './hint.ts';
import { ledgerLimits } from './limits.ts';
import { isBadLine, readLine } from './line.ts';
import { checkNote } from './note.ts';
import { firstNote } from './notes-reader.ts';
import { parsePublicKeys, type Trust, trustOf } from './public-keys.ts';
import type { LedgerProblem, ProblemKind, SequenceRange, VerifyOptions, VerifyReport } from './report.ts';
import { type LineBlock, listSegments, type Segment } from './segments.ts';
import { Frontier, hashLeafInPlace, noLeaf } from './tree.ts';
import { type WalkEnd, walkLines } from './walk.ts';

/** Goes through a whole log with public keys only, and finds the first entry that is not what it was. */
class Verification {
  readonly #folder: string;
  readonly #heads: Generator<Head>;
  readonly problems: LedgerProblem[] = [];
  readonly unacknowledged: SequenceRange[] = [];
  #head: Head | undefined;
  /** All entries but the last one, which the next one has to name first. */
  #tree = new Frontier();
  #last: ReadPlace | null = null;
  #break: ChainBreak | null = null;
  /** Something was signed for the entries so far that they are not. The next one may tell which of them was changed. */
  #mismatch: Head | null = null;
  #wall = '';
  clockSteps: { count: number; first: number | null } = { count: 0, first: null };
  checkpoints = 0;
  /** Size that a signed root has been found right for. */
  proven = 0;
  newest: SignedCheckpoint | null = null;

  constructor(folder: string, trust: Trust, kept: string | undefined) {
    this.#folder = folder;
    const { periods, handovers } = trust;
    this.#heads = readHeads({ folder, periods, handovers, kept, tell: (problem) => this.tell(problem) });
    this.#nextHead();
    this.#compareHeads();
  }

  get size(): number {
    return this.#last === null ? 0 : this.#last.sequence + 1;
  }

  tell(problem: LedgerProblem): void {
    if (this.problems.length < ledgerLimits.problems) this.problems.push(problem);
  }

  #nextHead(): void {
    const next = this.#heads.next();
    this.#head = next.done === true ? undefined : next.value;
  }

  close(): void {
    this.#heads.return(undefined);
  }

  treeNow(): Frontier {
    const tree = this.#tree.copy();
    if (this.#last !== null) tree.push(this.#last.leaf);
    return tree;
  }

  visit(block: LineBlock, start: number, end: number, segment: Segment, offset: number): boolean {
    const sequence = this.#break === null ? this.size : this.#break.size;
    const line = readLine(block.buffer.subarray(start, end));
    const tellHere = (kind: ProblemKind, why: string): boolean => {
      if (this.#break !== null) this.#tellBreak(this.#break.guess());
      else this.tell({ kind, sequence, upTo: null, file: segment.name, offset, why });
      return false;
    };
    if (this.#mismatch !== null) {
      const leaf = hashLeafInPlace(block.buffer, start, end);
      return this.#tellMismatch(this.#mismatch, isBadLine(line) ? [] : [line.previous, leaf]);
    }
    if (isBadLine(line)) return tellHere(line.kind, line.why);
    if (line.sequence !== sequence)
      return tellHere('sequence', `entry ${line.sequence} stands where entry ${sequence} belongs`);
    const leaf = hashLeafInPlace(block.buffer, start, end);
    const { previous } = line;
    if (this.#break !== null)
      return this.#followBreak(this.#break, { sequence, file: segment.name, offset, leaf, previous });
    const before = this.#last;
    if (previous !== (before?.leaf ?? noLeaf)) {
      if (before === null) return tellHere('chain', 'the first entry names one before it');
      this.#break = new ChainBreak(
        this.#tree,
        before,
        { sequence, file: segment.name, offset, leaf, previous },
        this.proven,
      );
      return this.#judgeBreak(this.#break);
    }
    if (before !== null) this.#tree.push(before.leaf);
    this.#last = { sequence, file: segment.name, offset, leaf, previous };
    this.#noteTimes(line.wall, sequence);
    if (line.action === 'ledger.recover') this.#noteRecovery(block.buffer.toString('utf8', start, end));
    return this.#head?.checkpoint.size === sequence + 1 ? this.#compareHeads() : true;
  }

  #noteTimes(wall: string, sequence: number): void {
    if (wall < this.#wall)
      this.clockSteps = { count: this.clockSteps.count + 1, first: this.clockSteps.first ?? sequence };
    this.#wall = wall;
  }

  #noteRecovery(line: string): void {
    for (const range of asArray(asObject(asObject(JSON.parse(line)).details).unacknowledged)) {
      const { from, to } = asObject(range);
      const isRange = asNumber(from) !== undefined && asNumber(to) !== undefined;
      if (isRange && this.unacknowledged.length < ledgerLimits.ranges)
        this.unacknowledged.push({ from: Number(from), to: Number(to) });
    }
  }

  /** Holds the entries against everything that was signed for their number. */
  #compareHeads(): boolean {
    let root: string | null = null;
    for (let head = this.#head; head !== undefined && head.checkpoint.size === this.size; head = this.#head) {
      root ??= this.treeNow().root();
      if (head.checkpoint.root !== root) {
        this.#mismatch = head;
        return true;
      }
      this.proven = head.checkpoint.size;
      if (head.source === 'checkpoints') {
        this.checkpoints += 1;
        this.newest = head.checkpoint;
      }
      this.#nextHead();
    }
    return true;
  }

  /** With the leaf that the next entry names in place of the last one, or with the next entry itself, is it the root again? */
  #tellMismatch(head: Head, replacements: readonly string[]): boolean {
    const isLast = replacements.some((leaf) => {
      const tree = this.#tree.copy();
      tree.push(leaf);
      return tree.root() === head.checkpoint.root;
    });
    if (isLast && this.#last !== null) this.#tellBreak({ place: this.#last, upTo: null });
    else this.#tellRoot(head);
    return false;
  }

  /** The tree as it was kept at this checkpoint, if it has the root that was signed. */
  #keptTree(head: Head): ReturnType<typeof readHint> {
    const kept = readHint(this.#folder);
    const isVouchedFor = kept?.hint.size === head.checkpoint.size && kept.frontier.root() === head.checkpoint.root;
    return isVouchedFor ? kept : null;
  }

  #tellRoot(head: Head): void {
    const found = this.treeNow();
    const kept = this.#keptTree(head);
    const [from, to] =
      kept === null
        ? [this.proven, Math.max(found.size - 1, 0)]
        : firstDifference(found, kept.frontier, this.#tree, kept.hint.leaf);
    const sequence = Math.max(from, this.proven);
    const isLast = sequence === this.#last?.sequence;
    const what =
      head.source === 'kept' ? 'the checkpoint that was kept' : `the checkpoint of size ${head.checkpoint.size}`;
    this.tell({
      kind: head.source === 'kept' ? 'rollback' : 'root',
      sequence,
      upTo: to > sequence ? to : null,
      file: isLast ? (this.#last?.file ?? null) : null,
      offset: isLast ? (this.#last?.offset ?? null) : null,
      why: `the entries are not those that ${what} was signed for`,
    });
  }

  #tellBreak({ place, upTo }: Suspicion): void {
    const why =
      upTo === null
        ? 'the entry was changed: its neighbours do not fit it'
        : `entries ${place.sequence} and ${upTo} do not fit each other: one of them was changed, or what follows is of another log`;
    this.tell({ kind: 'chain', sequence: place.sequence, upTo, file: place.file, offset: place.offset, why });
  }

  #judgeBreak(chainBreak: ChainBreak): boolean {
    for (let head = this.#head; head !== undefined && head.checkpoint.size <= chainBreak.size; head = this.#head) {
      const suspicion =
        head.checkpoint.size === chainBreak.size
          ? chainBreak.judge(head.checkpoint.root, this.#keptTree(head)?.hint.leaf ?? null)
          : null;
      if (suspicion !== null) {
        this.#tellBreak(suspicion);
        return false;
      }
      this.#nextHead();
    }
    return true;
  }

  #followBreak(chainBreak: ChainBreak, next: ReadPlace): boolean {
    if (chainBreak.take(next)) return this.#judgeBreak(chainBreak);
    this.#tellBreak(chainBreak.guess());
    return false;
  }

  /** After the last line: was it the end, and is there something that was signed for more? */
  finish(end: WalkEnd | null): void {
    if (this.problems.some(({ sequence }) => sequence !== null)) return;
    if (this.#mismatch !== null) {
      this.#tellRoot(this.#mismatch);
      return;
    }
    if (this.#break !== null) {
      this.#tellBreak(this.#break.guess());
      return;
    }
    if (end !== null) {
      const { kind, segment, offset, why } = end;
      this.tell({ kind, sequence: this.size, upTo: null, file: segment.name, offset, why });
      return;
    }
    for (; this.#head !== undefined; this.#nextHead()) {
      const { checkpoint, source } = this.#head;
      if (checkpoint.size <= this.size) continue;
      const file = this.#last?.file ?? listSegments(this.#folder)[0]?.name ?? null;
      const why =
        source === 'kept'
          ? `the log has ${this.size} entries, and the checkpoint that was kept was signed for ${checkpoint.size}`
          : `a checkpoint was signed for ${checkpoint.size} entries`;
      this.tell({
        kind: source === 'kept' ? 'rollback' : 'missing',
        sequence: this.size,
        upTo: null,
        file,
        offset: null,
        why,
      });
      return;
    }
  }
}

export async function verifyLedger(folder: string, options: VerifyOptions): Promise<VerifyReport> {
  if (!existsSync(folder)) throw new UsageError(`there is no ledger at ${folder}`);
  const trusted = parsePublicKeys(options.publicKeys.join('\n'));
  const oldest = firstNote(join(folder, checkpointsName));
  const trust = trustOf(folder, trusted, (key) => oldest !== null && checkNote(oldest.note, [key]).good.length > 0);
  const verification = new Verification(folder, trust, options.from);
  if (trust.problem !== null) verification.problems.unshift(noteProblem('key', 'keys/handovers', null, trust.problem));
  try {
    verification.finish(await walkLines(folder, (...line) => verification.visit(...line), options.signal));
  } finally {
    verification.close();
  }
  if (verification.newest === null && verification.checkpoints === 0 && verification.problems.length === 0) {
    verification.tell(
      noteProblem('missing', checkpointsName, null, 'there is no checkpoint: nobody vouches for anything'),
    );
  }
  const { problems, newest, clockSteps, checkpoints, unacknowledged } = verification;
  return {
    isIntact: problems.length === 0,
    origin: trust.periods[0]?.key.name ?? null,
    size: verification.size,
    root: verification.treeNow().root(),
    first: problems.find(({ sequence }) => sequence !== null) ?? problems[0] ?? null,
    problems,
    checkpoints,
    lastCheckpoint: newest === null ? null : toCheckpoint(newest),
    uncovered: verification.size - verification.proven,
    keys: trust.periods.map(({ key }) => key.text),
    clockSteps,
    unacknowledged,
    torn: readdirSync(folder).filter((name) => name.startsWith('torn-')),
  };
}
