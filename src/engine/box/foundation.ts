import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { HostError } from '../../base/errors.ts';
import { hostArchitecture } from '../../base/ffi.ts';
import { kibibyte } from '../../base/limits.ts';
import type { Policy } from '../../base/policy-schema.ts';
import { findLandlockAbi } from '../host/landlock-abi.ts';
import { type CgroupValues, compileCgroup } from '../policy/compile/cgroup.ts';
import { readPathFacts } from '../policy/compile/path-facts.ts';
import { airlockTarget, type PathFact, type Place } from '../policy/compile/place.ts';
import { Bait } from './bait.ts';
import { BoxCgroup, findCgroups } from './cgroup.ts';
import type { BoxFolders, BoxHooks, BoxOptions } from './contract.ts';
import { BoxDisk, type FolderName } from './disk/disk.ts';
import { type CoverableFolder, chooseIdentity, type Identity, writeIdentity } from './identity.ts';
import { boxesFolder, isOwnFolder } from './leftovers.ts';
import { interpreter, nativeFile, needNativeFiles } from './native-files.ts';
import { UndoLog } from './undo.ts';

/** What every box stands on, whatever confines it: a folder, a disk, a user, control groups, bait, and a way back. */

export interface FoundationNeeds {
  /** False where the box has no mount namespace and sees the host's own paths. */
  readonly hasOwnRoot: boolean;
  readonly coverable: readonly CoverableFolder[];
  /** `mapped`: a host user made for this box stands behind an ordinary one inside; `same`: the ids inside are the host's. */
  readonly users: 'mapped' | 'ordinary' | 'unique';
  /** True where the root folder is the box's own, and not an image. */
  readonly canCopy: boolean;
  readonly usesCgroup: boolean;
  readonly adaptCgroup?: (values: CgroupValues) => CgroupValues;
}

export interface Foundation {
  readonly id: string;
  readonly folder: string;
  readonly undo: UndoLog;
  readonly disk: BoxDisk;
  readonly identity: Identity;
  readonly place: Place;
  readonly bait: Bait;
  readonly cgroup: BoxCgroup | null;
  readonly hooks: BoxHooks;
  /** The file that stands for the network which the box is to join. */
  readonly network: string | undefined;
}

const ordinaryId = 1000;
const smallFileBytes = 64 * kibibyte;
/** Far above the users of any system, and above the ranges that containers are given. */
const firstBoxUid = 0x7000_0000;

function chooseUsers(needs: FoundationNeeds): { uid: number; hostUid: number } {
  if (process.getuid?.() !== 0) {
    const own = process.getuid?.() ?? ordinaryId;
    return { uid: needs.users === 'unique' ? own : ordinaryId, hostUid: own };
  }
  // Two ids per box: the second stands behind root of its user namespace.
  const made = firstBoxUid + 2 * (randomBytes(4).readUInt32LE() % 0x0800_0000);
  if (needs.users === 'ordinary') return { uid: ordinaryId, hostUid: ordinaryId };
  return { uid: needs.users === 'mapped' ? ordinaryId : made, hostUid: made };
}

export async function layFoundation(policy: Policy, options: BoxOptions, needs: FoundationNeeds): Promise<Foundation> {
  needNativeFiles();
  const id = randomBytes(6).toString('hex');
  const folder = makeBoxFolder(options.runtimeFolder, id);
  const undo = new UndoLog(folder);
  try {
    for (const name of options.network?.names ?? []) undo.add(['network', name]);
    const users = chooseUsers(needs);
    const isRoot = process.getuid?.() === 0;
    if (isRoot && needs.users !== 'ordinary') undo.add(['user', String(users.hostUid)]);
    const identity = chooseIdentity(id);
    const home = `/home/${identity.userName}`;
    const inside: BoxFolders | null = needs.hasOwnRoot ? { home, work: `${home}/project`, tmp: '/tmp' } : null;
    const owner = { uid: users.hostUid, gid: users.hostUid };
    const { diskBytes } = policy.limits;
    const disk = BoxDisk.create({
      folder: join(folder, 'disk'),
      inside,
      owner,
      diskBytes,
      executable: executableFolders(policy),
      undo,
    });
    const bait = new Bait(join(folder, 'bait'), id);
    const cgroup = needs.usesCgroup ? openCgroup(policy, id, undo, needs.adaptCgroup) : null;
    const architecture = hostArchitecture();
    const rootFolder = join(folder, 'root');
    const airlockScript = needs.canCopy ? `${rootFolder}${airlockTarget}` : join(folder, 'airlock');
    mkdirSync(needs.canCopy ? dirname(airlockScript) : rootFolder, { recursive: true, mode: 0o755 });
    // A copy, because the user of the box may not be able to read where Hotcell is installed.
    copyFileSync(nativeFile('airlock'), airlockScript);
    chmodSync(airlockScript, 0o644);
    const airlock = { interpreter, script: airlockScript };
    const identityFiles = needs.hasOwnRoot
      ? writeIdentity(identity, {
          folder: join(folder, 'identity'),
          ...(needs.canCopy ? { root: rootFolder } : {}),
          boxId: id,
          home,
          uid: users.uid,
          gid: users.uid,
          architecture,
          coverable: needs.coverable,
          systemFiles: options.systemFiles ?? [],
        })
      : [];
    const pathFacts = readPathFacts(policy, { hostFolders: disk.hostFolders, identityFiles, architecture, airlock });
    const place: Place = {
      boxId: id,
      rootFolder,
      hostFolders: disk.hostFolders,
      boxFolders: disk.insideFolders,
      identityFiles,
      hostName: identity.hostName,
      userName: identity.userName,
      uid: users.uid,
      gid: users.uid,
      hostUid: users.hostUid,
      hostGid: users.hostUid,
      architecture,
      pathFacts,
      ...(needs.canCopy
        ? { copyable: new Set([airlockScript, ...identityFiles.map(({ source }) => source), ...smallFiles(pathFacts)]) }
        : {}),
      landlockAbi: findLandlockAbi(),
      airlock,
    };
    const { hooks = {}, network } = options;
    return { id, folder, undo, disk, identity, place, bait, cgroup, hooks, network: network?.path };
  } catch (error) {
    await undo.close().catch(() => undefined);
    throw error;
  }
}

/** Settings of the host that are cheaper to copy than to mount. */
function smallFiles(facts: ReadonlyMap<string, PathFact>): string[] {
  return [...facts].flatMap(([path, fact]) =>
    fact.type === 'file' && statSync(path).size <= smallFileBytes ? [path] : [],
  );
}

function executableFolders(policy: Policy): FolderName[] {
  const names: readonly FolderName[] = ['home', 'work', 'tmp'];
  return names.filter((name) =>
    policy.files.some(({ path, access }) => access === 'execute' && path.startsWith(`{${name}}`)),
  );
}

function makeBoxFolder(runtimeFolder: string, id: string): string {
  const boxes = boxesFolder(runtimeFolder);
  mkdirSync(boxes, { recursive: true, mode: 0o711 });
  if (!isOwnFolder(boxes) || !isOwnFolder(runtimeFolder)) {
    throw new HostError(`cannot keep boxes in ${boxes}: it belongs to somebody else or others may write to it`, {
      hint: 'set HOTCELL_RUNTIME_FOLDER to a folder of your own',
    });
  }
  if (process.getuid?.() === 0) letPassThrough(runtimeFolder, boxes);
  const folder = join(boxes, id);
  mkdirSync(folder, { mode: 0o711 });
  chmodSync(folder, 0o711);
  return folder;
}

/** The user of a box is not root and has to get to its folder. Names stay unreadable. */
function letPassThrough(runtimeFolder: string, boxes: string): void {
  chmodSync(runtimeFolder, 0o711);
  chmodSync(boxes, 0o711);
  for (let folder = dirname(resolve(runtimeFolder)); folder !== '/'; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) {
      throw new HostError(`cannot keep boxes in ${boxes}: the user of a box may not pass through ${folder}`, {
        hint: 'set HOTCELL_RUNTIME_FOLDER to a folder that others may pass through, such as /run/hotcell',
      });
    }
  }
}

/** Null where control groups cannot be used: a watchdog keeps the limits then. */
function openCgroup(
  policy: Policy,
  id: string,
  undo: UndoLog,
  adapt: ((values: CgroupValues) => CgroupValues) | undefined,
): BoxCgroup | null {
  const host = findCgroups();
  if (host.is !== 'yes') return null;
  const values = compileCgroup(policy).value;
  return BoxCgroup.create(host.value, id, adapt?.(values) ?? values, undo);
}
