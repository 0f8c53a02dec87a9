import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { HostError } from '../../base/errors.ts';
import type { Collection, CollectionDefinition, StoreHandle } from './contract.ts';
import { storeFailure } from './failure.ts';
import { openCollection } from './open-collection.ts';
import { openDatabase } from './open-database.ts';

export class Store implements StoreHandle {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #version: ReturnType<DatabaseSync['prepare']>;
  #ownWrites = 0;
  #depth = 0;
  #isOpen = true;

  private constructor(file: string, database: DatabaseSync) {
    this.file = file;
    this.#database = database;
    this.#version = database.prepare('PRAGMA data_version');
  }

  /** Makes what is missing: the folder for its owner alone, the file, its tables. */
  static open(file: string): Store {
    try {
      return new Store(file, openDatabase(file));
    } catch (error) {
      throw storeFailure(error, 'open', file);
    }
  }

  collection<Schema extends z.ZodType>(definition: CollectionDefinition<Schema>): Collection<z.output<Schema>> {
    return this.#try('read', () =>
      openCollection(definition, {
        file: this.file,
        database: this.#database,
        read: (operation, work) => this.#try(operation, work),
        write: (operation, work) => this.#try(operation, () => this.#transact(work)),
      }),
    );
  }

  generation(): number {
    // The number of the file counts what others wrote, and never what this connection did.
    return this.#try('read', () => Number(this.#version.get()?.data_version)) + this.#ownWrites;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #try<Result>(operation: string, work: () => Result): Result {
    if (!this.#isOpen) throw new HostError(`the store ${this.file} is closed`);
    try {
      return work();
    } catch (error) {
      throw storeFailure(error, operation, this.file);
    }
  }

  /** A change inside a change belongs to the outer one: both are kept, or none. */
  #transact<Result>(work: () => Result): Result {
    const level = this.#depth;
    this.#database.exec(level === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT inner_${level}`);
    this.#depth = level + 1;
    try {
      const result = work();
      this.#database.exec(level === 0 ? 'COMMIT' : `RELEASE inner_${level}`);
      this.#ownWrites += 1;
      return result;
    } catch (error) {
      this.#takeBack(level);
      throw error;
    } finally {
      this.#depth = level;
    }
  }

  #takeBack(level: number): void {
    // A disk that is full or broken has taken it back by itself.
    if (!this.#database.isTransaction) return;
    this.#database.exec(level === 0 ? 'ROLLBACK' : `ROLLBACK TO inner_${level}; RELEASE inner_${level}`);
  }
}
