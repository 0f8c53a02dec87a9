/** Hosts that nearly every program and document names, by what is said about them. A name stands for its subdomains too. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const schemas = words(`
  w3.org schemas.microsoft.com schemas.openxmlformats.org schemas.xmlsoap.org openoffice.org purl.org purl.oclc.org
  ns.adobe.com xml.org xmlsoap.org relaxng.org docbook.org oasis-open.org iptc.org cipa.jp aiim.org npes.org
  schemas.android.com java.sun.com xmlns.jcp.org xmlns.oracle.com dublincore.org sourceforge.net/projects/inkscape
  inkscape.org sodipodi.sourceforge.net tempuri.org json-schema.org xmlpull.org
`);
const certificates = words(`
  digicert.com verisign.com verisign.net symcb.com symcd.com thawte.com geotrust.com globalsign.com globalsign.net
  entrust.net comodoca.com comodo.com sectigo.com usertrust.com godaddy.com starfieldtech.com letsencrypt.org lencr.org
  certum.pl ws.symantec.com amazontrust.com rootca1.amazontrust.com pki.goog identrust.com quovadisglobal.com
  startssl.com wosign.com trust-provider.com cacerts.com
`);
const tools = words(`
  decalage.info hexacorn.com didierstevens.com remnux.org virustotal.com hybrid-analysis.com yara.readthedocs.io
  capa.readthedocs.io nsis.sf.net nsis.sourceforge.net 7-zip.org upx.github.io upx.sf.net upx.sourceforge.net
  exiftool.org ghidra-sre.org radare.org rada.re hex-rays.com volatilityfoundation.org oletools.readthedocs.io
  any.run app.any.run malpedia.caad.fkie.fraunhofer.de bazaar.abuse.ch attack.mitre.org mitre.org nvd.nist.gov
  cve.org jrsoftware.org innosetup.com
`);
const vendors = words(`
  microsoft.com windows.com windowsupdate.com msftncsi.com msftconnecttest.com office.com office.net live.com msn.com
  bing.com skype.com visualstudio.com nuget.org dot.net google.com gstatic.com google-analytics.com googleapis.com
  googletagmanager.com android.com chromium.org youtube.com apple.com icloud.com mozilla.org mozilla.com mozilla.net
  firefox.com adobe.com adobe.io oracle.com java.com sun.com apache.org openssl.org gnu.org kernel.org debian.org
  ubuntu.com redhat.com fedoraproject.org python.org nodejs.org golang.org go.dev rust-lang.org
  ruby-lang.org perl.org cpan.org php.net jquery.com jsdelivr.net unpkg.com cloudflare.com bootstrapcdn.com github.com
  gitlab.com bitbucket.org stackoverflow.com wikipedia.org facebook.com twitter.com linkedin.com instagram.com amazon.com
  intel.com amd.com nvidia.com vmware.com virtualbox.org autoitscript.com embarcadero.com borland.com indyproject.org
  openssh.com libssh.org curl.se curl.haxx.se zlib.net libpng.org sqlite.org boost.org unicode.org ietf.org iana.org rfc-editor.org
  sourceforge.net symantec.com mcafee.com kaspersky.com avast.com sophos.com trendmicro.com bitdefender.com eset.com
  malwarebytes.com crowdstrike.com
`);

/** The more exact table first. */
export const knownHosts: readonly (readonly [reason: string, hosts: ReadonlySet<string>])[] = [
  ['XML namespace or schema', new Set(schemas)],
  ['certificate authority', new Set(certificates)],
  ['site of an analysis tool or a catalogue', new Set(tools)],
  ['well-known vendor', new Set(vendors)],
];

/** Where anybody can put a file or take a message: an address there is worth as much as any other. */
export const sharedHosts: ReadonlySet<string> = new Set(
  words(`
  raw.githubusercontent.com gist.githubusercontent.com objects.githubusercontent.com media.githubusercontent.com
  gist.github.com codeload.github.com github.io gitlab.io gitee.com codeberg.org blob.core.windows.net
  file.core.windows.net web.core.windows.net azurewebsites.net azureedge.net cloudapp.net cloudapp.azure.com
  azurefd.net s3.amazonaws.com amazonaws.com cloudfront.net storage.googleapis.com firebasestorage.googleapis.com
  storage.cloud.google.com drive.google.com docs.google.com sites.google.com script.google.com
  script.googleusercontent.com googleusercontent.com chat.googleapis.com sheets.googleapis.com appspot.com run.app
  firebaseapp.com firebaseio.com web.app dropbox.com dropboxusercontent.com onedrive.live.com 1drv.ms 1drv.com
  sharepoint.com graph.microsoft.com webhook.office.com outlook.office.com cdn.discordapp.com media.discordapp.net
  discord.com discordapp.com discord.gg api.telegram.org t.me telegra.ph hooks.slack.com files.slack.com pastebin.com
  paste.ee pastebin.pl hastebin.com rentry.co rentry.org ghostbin.com controlc.com dpaste.com 0bin.net termbin.com ix.io
  transfer.sh file.io temp.sh gofile.io anonfiles.com mediafire.com mega.nz mega.co.nz catbox.moe 0x0.st wetransfer.com
  sendspace.com ufile.io bashupload.com oshi.at ngrok.io ngrok.app ngrok-free.app ngrok.com serveo.net localhost.run
  trycloudflare.com workers.dev pages.dev r2.dev herokuapp.com netlify.app vercel.app glitch.me repl.co replit.app
  render.com onrender.com fly.dev surge.sh ipfs.io dweb.link cloudflare-ipfs.com archive.org bit.ly tinyurl.com is.gd
  cutt.ly rb.gy goo.gl t.co duckdns.org no-ip.com no-ip.org ddns.net hopto.org zapto.org sytes.net dynu.net
  webhook.site requestbin.com pipedream.net interact.sh oast.fun oast.pro oast.live oast.site oast.online oast.me
  burpcollaborator.net logic.azure.com hooks.zapier.com hook.make.com notion.so trello.com steamcommunity.com
  digitaloceanspaces.com backblazeb2.com wasabisys.com aliyuncs.com myqcloud.com linodeobjects.com supabase.co
`),
);

/** Public resolvers and probes: named by malware and by everything else. */
export const knownAddresses: ReadonlySet<string> = new Set(
  words('8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 149.112.112.112 208.67.222.222 208.67.220.220 4.2.2.1 4.2.2.2'),
);

/** The table's reason for a host or one of its parents, and whether it is one where anybody can put something. */
export function lookUpHost(host: string): { readonly shared: boolean; readonly reason: string | undefined } {
  let rest = host;
  for (let depth = 0; depth < 10; depth += 1) {
    if (sharedHosts.has(rest)) return { shared: true, reason: undefined };
    for (const [reason, hosts] of knownHosts) if (hosts.has(rest)) return { shared: false, reason };
    const dot = rest.indexOf('.');
    if (dot === -1) break;
    rest = rest.slice(dot + 1);
  }
  return { shared: false, reason: undefined };
}
