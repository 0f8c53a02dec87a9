const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** First words of .NET namespaces. */
export const dotnetRoots = words(`
  system microsoft windows mono newtonsoft mscorlib accessibility presentationframework presentationcore windowsbase
  netstandard nunit xunit log4net nlog autofac serilog costura smartassembly confuserex costura.assemblyloader my
`);
/** First words of packages in Java and its kin. */
export const javaRoots = words(
  'java javax jakarta android androidx kotlin kotlinx scala groovy dalvik sun jdk okhttp3 okio junit',
);
/** Top-level domains that packages begin with, since they are written the other way round. */
export const reversedRoots = words('com org net edu gov io de fr uk cn ru jp nl ch dev app me co info');
/** Endings that make a reversed reading unlikely. */
export const plainEndings = words(
  'com net org ru cn info biz xyz top de uk br in pl fr it eu us onion club online site',
);

/** What code writes before a dot. */
export const codeRoots = words(`
  window document this self console math module exports process object array string json wscript activexobject
  xmlhttp fso os sys re time random socket subprocess base64 requests urllib e event node element el item obj
  request response req res ctx context app router args kwargs cls super parent child root value key data result err error
  form input navigator location history screen jquery $ angular react vue lodash _ prototype function date regexp
  promise symbol reflect proxy intl buffer global globalthis require path fs http https net util crypto stream
  activedocument thisdocument thisworkbook application activesheet worksheets range cells msgbox err debug vba shell
  std boost std.io fmt strings bytes bufio ioutil ntdll kernel32 user32 advapi32 ws2_32 shell32 wininet urlmon
`);

/** Top-level domains that are names of properties and methods, too. */
export const codeEndings = words(`
  name id is to in at so me my as it no do call run cat dev app link open data map call now new one page play post
  read host select show total date day email events exchange fail fit fun fund gift group guide how info int is it
  java kim land lat law live loan love ltd management map md media menu mobi mov music network next observer ong
  parts pics pub py rs sc select services sh show site solutions sport st stream style support sy systems tab target
  team tel tips to tools top trade training tt tv uno vision vote watch web wf win works world zone
  common security text io net reference build compare cc ms ps so ai pm
`);

/** Standing right before an address, they say that it is one. */
export const networkWords =
  /(?:\b(?:connect(?:s|ed|ing|ion)?|beacon(?:s|ed|ing)?|c2|c&c|cnc|server|host(?:name)?|domain|dns|resolv(?:e|es|ed|ing)|nslookup|ping|dig|whois|lookup|curl|wget|fetch|download(?:s|ed)?|upload(?:s|ed)?|contact(?:s|ed|ing)?|callback|gate|proxy|address|addr|ip|remote|destination|dst|src|url|uri|site|website|visit|sni|telnet|ssh|ftp|tcp|udp|irc|smtp|get|post|port|communicat(?:e|es|ed|ing)|traffic|sinkholed?|exfiltrat(?:e|es|ed|ion))\b)[^a-z0-9]{0,4}(?:(?:to|from|at|for|is|with|over|via|the|of|name|address|server|host|domain)[^a-z0-9]{1,4}){0,3}$/;

/** Standing right before four numbers, they say that these are a version. */
export const versionWords =
  /(?:version|ver|vers|release|build|revision|rev|firmware|assembly|sdk|runtime|framework|patch|update|upgraded? to|fileversion|productversion)s?["'`]?[^a-z0-9]{0,4}(?:(?:is|to|of|number|no|string|info|from|value)[^a-z0-9]{1,4}){0,2}$|(?:^|[^a-z0-9])v\.?\s?$|[a-z][a-z0-9+._-]*\/$/;
