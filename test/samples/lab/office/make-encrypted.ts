import officeCrypto from 'officecrypto-tool';
import { makeDocm, makeDocx } from './make-ooxml.ts';

/** Encrypted documents, written by another library. */

export const defaultPassword = 'VelvetSweatshop';

export function makeAgile(password: string): Buffer {
  return Buffer.from(officeCrypto.encrypt(makeDocm(), { password }));
}

export function makeStandard(password: string): Buffer {
  return Buffer.from(officeCrypto.encrypt(makeDocx(), { password, type: 'standard' }));
}
