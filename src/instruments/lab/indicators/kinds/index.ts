import type { IndicatorKind } from '../kind.ts';
import { asn } from './asn.ts';
import { attackTechnique } from './attack-technique.ts';
import { btc } from './btc.ts';
import { cidr } from './cidr.ts';
import { cloudKey } from './cloud-key.ts';
import { cve } from './cve.ts';
import { doge } from './doge.ts';
import { domain } from './domain.ts';
import { email } from './email.ts';
import { eth } from './eth.ts';
import { fileName } from './file-name.ts';
import { imphash } from './imphash.ts';
import { ipv4 } from './ipv4.ts';
import { ipv6 } from './ipv6.ts';
import { ja3 } from './ja3.ts';
import { ja4 } from './ja4.ts';
import { ltc } from './ltc.ts';
import { mac } from './mac.ts';
import { md5 } from './md5.ts';
import { mutex } from './mutex.ts';
import { namedPipe } from './named-pipe.ts';
import { networkPort } from './network-port.ts';
import { onion } from './onion.ts';
import { pdbPath } from './pdb-path.ts';
import { powershellCmdlet } from './powershell-cmdlet.ts';
import { privateKey } from './private-key.ts';
import { registryKey } from './registry-key.ts';
import { scheduledTask } from './scheduled-task.ts';
import { serviceName } from './service-name.ts';
import { sha1 } from './sha1.ts';
import { sha256 } from './sha256.ts';
import { sha512 } from './sha512.ts';
import { ssdeep } from './ssdeep.ts';
import { suspiciousExecutable } from './suspicious-executable.ts';
import { tlsh } from './tlsh.ts';
import { trx } from './trx.ts';
import { uncPath } from './unc-path.ts';
import { unixPath } from './unix-path.ts';
import { url } from './url.ts';
import { userAgent } from './user-agent.ts';
import { webhook } from './webhook.ts';
import { windowsPath } from './windows-path.ts';
import { xmr } from './xmr.ts';

/** Readers of one trigger run in this order. */
export const indicatorKinds: readonly IndicatorKind[] = [
  userAgent,
  privateKey,
  ssdeep,
  ja3,
  registryKey,
  mutex,
  scheduledTask,
  serviceName,
  cve,
  cloudKey,
  networkPort,
  url,
  webhook,
  windowsPath,
  uncPath,
  namedPipe,
  unixPath,
  pdbPath,
  email,
  ipv6,
  mac,
  cidr,
  ipv4,
  ja4,
  attackTechnique,
  powershellCmdlet,
  suspiciousExecutable,
  domain,
  onion,
  fileName,
  imphash,
  md5,
  sha1,
  sha256,
  sha512,
  tlsh,
  btc,
  ltc,
  doge,
  trx,
  eth,
  xmr,
  asn,
];
