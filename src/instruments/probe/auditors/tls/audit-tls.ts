import { isIP } from 'node:net';
import { AuditFailure } from '../client/index.ts';
import type { Audit, Auditor } from '../contract.ts';
import { Inquiry } from '../inquiry/inquiry.ts';
import { describeCertificate } from './certificate.ts';
import { suiteName } from './cipher-suites.ts';
import { type Handshake, shakeHands } from './handshake.ts';
import { tlsVersions } from './hello.ts';
import { judgeCertificates, type TlsSighting } from './judge-certificate.ts';
import { type Again, judgeSuites } from './judge-suites.ts';
import { type AcceptedSuites, listSuites, type Offer, pacedOffer } from './list-suites.ts';
import { offerHello } from './offer.ts';
import { type TlsRule, tlsRules } from './rules.ts';

export interface TlsMeans {
  /** PEM; in place of the authorities that Node knows. */
  readonly authorities?: readonly string[];
  readonly now?: number;
}

type TlsInquiry = Inquiry<TlsRule>;

async function listAll(inquiry: TlsInquiry, serverName: string, offer: Offer): Promise<readonly AcceptedSuites[]> {
  const found: AcceptedSuites[] = [];
  for (const [version, name] of tlsVersions) {
    inquiry.progress(name, found.length / (tlsVersions.length + 1));
    const accepted = await listSuites(version, serverName, offer);
    if (!accepted.isComplete) inquiry.note(`not every suite of ${name} was tried`);
    found.push(accepted);
  }
  return found;
}

function sayHandshake(
  { version, suite, chain, chainError, protocol, isStapled }: Handshake,
  inquiry: TlsInquiry,
): void {
  const [leaf] = chain;
  inquiry.fact('handshake', { version, suite, alpn: protocol, ocsp_stapled: isStapled, chain_error: chainError });
  if (leaf !== undefined) inquiry.fact('certificate', { ...describeCertificate(leaf) });
  const subjects = chain.map((certificate) => describeCertificate(certificate).subject);
  inquiry.fact('chain', subjects);
}

async function tryHandshake(inquiry: TlsInquiry, peer: Parameters<typeof shakeHands>[0]): Promise<Handshake | null> {
  try {
    return await shakeHands(peer);
  } catch (error) {
    if (!(error instanceof AuditFailure)) throw error;
    inquiry.note(`the certificate could not be seen: ${error.message}`);
    return null;
  }
}

export async function auditTls(audit: Audit, means: TlsMeans = {}): Promise<void> {
  const { host, addresses, ports, pace } = audit.input;
  const [address] = addresses;
  const port = ports[0]?.from;
  if (address === undefined || port === undefined) throw new AuditFailure('no-connection', 'no address or no port');
  const inquiry = new Inquiry(audit, { group: 'tls', rules: tlsRules, mostRequests: 0 });
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const serverName = isIP(name) === 0 ? name : '';
  const at = `${host}:${port}`;
  const again = (by: Again): string =>
    by === null
      ? `nmap -Pn${name.includes(':') ? ' -6' : ''} -p ${port} --script ssl-enum-ciphers ${name}`
      : `openssl s_client -connect ${at}${serverName === '' ? '' : ` -servername ${name}`}${by} </dev/null`;

  const accepted = await listAll(
    inquiry,
    serverName,
    pacedOffer((offer) => offerHello({ address, port }, offer), pace),
  );
  const versions = tlsVersions.flatMap(([version, label]) => {
    const suites = accepted.find((entry) => entry.version === version)?.suites ?? [];
    return suites.length === 0 ? [] : [{ version: label, suites: suites.map(suiteName) }];
  });
  inquiry.fact('versions', versions);
  if (versions.length === 0) {
    inquiry.note(`${at} agrees to no version of TLS that was offered`);
    return;
  }

  const claim = (sighting: TlsSighting, evidence: string, by: Again): void =>
    inquiry.claim({ ...sighting, at, evidence, repro: again(by) });
  for (const { sighting, evidence, by } of judgeSuites(accepted)) claim(sighting, evidence, by);

  const handshake = await tryHandshake(inquiry, { address, port, serverName, ...means });
  if (handshake !== null) {
    sayHandshake(handshake, inquiry);
    const shown = handshake.chain[0] === undefined ? '' : JSON.stringify(describeCertificate(handshake.chain[0]));
    for (const seen of judgeCertificates(handshake, name, means.now ?? Date.now()))
      claim(seen, shown, ' -showcerts -cipher DEFAULT:@SECLEVEL=0');
  }
  inquiry.progress('end', 1);
  inquiry.end();
}

export const tlsAuditor: Auditor = { name: 'tls', run: (audit) => auditTls(audit) };
