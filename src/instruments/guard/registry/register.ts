import { randomBytes } from 'node:crypto';
import { UsageError } from '../../../base/errors.ts';
import { fingerprint } from '../../../base/fingerprint.ts';
import { describeChanges, normaliseText } from '../../../base/normalise.ts';
import { fingerprintPolicy } from '../../../engine/policy/index.ts';
import { checkCommand } from '../command-shapes/index.ts';
import type { Registered, RegisterRequest } from './contract.ts';
import type { SubprocessDocument } from './documents.ts';
import { readProfile } from './isolation-profile.ts';

/** What cannot be seen cannot be compared by the person who registers it. */
function refuseUnseen(what: string, text: string): void {
  const removed = normaliseText(text).changes.filter(({ change }) => change === 'removed');
  if (removed.length === 0 && !text.includes('\0')) return;
  throw new UsageError(`${what} holds characters that cannot be seen: ${describeChanges(removed)}`, {
    hint: 'write it without them',
  });
}

function describeShapes(binary: string, args: readonly string[]): readonly string[] {
  const { shapes, notes } = checkCommand([binary, ...args]);
  return [...shapes.map(({ id, where, why }) => `every audit will block it: ${id} in ${where}: ${why}`), ...notes];
}

export function makeRegistered(request: RegisterRequest): Registered {
  const { serverId, binary, args, trustTier, isolationProfile = {} } = request;
  refuseUnseen('serverId', serverId);
  refuseUnseen('binary', binary);
  for (const [at, argument] of args.entries()) refuseUnseen(`args[${at}]`, argument);
  const { policy, notes } = readProfile(serverId, binary, trustTier, isolationProfile);
  const policyFingerprint = fingerprintPolicy(policy);
  const subprocess: SubprocessDocument = {
    serverId,
    binary,
    args: [...args],
    trustTier,
    isolationProfile: structuredClone(isolationProfile) as SubprocessDocument['isolationProfile'],
    policy,
    policyFingerprint,
    profileFingerprint: fingerprint({ serverId, binary, args, policyFingerprint }).slice(0, 32),
    registeredAt: new Date().toISOString(),
  };
  const handle = `sp_${randomBytes(12).toString('hex')}`;
  return { handle, subprocess, notes: [...describeShapes(binary, args), ...notes] };
}
