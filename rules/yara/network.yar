rule reverse_shell_unix : shell network
{
  meta:
    description = "A shell that is bound to a connection"
    severity = "high"
    benign = "Courses and cheat sheets quote such lines"
    attack = "T1059.004"
    mbc = "B0022"
  strings:
    $tcp = /\/dev\/(tcp|udp)\/[\w.$-]{3,60}\/[0-9$]/
    $nc = /\bnc(at)?\s{1,4}[^\r\n]{0,60}-e\s{1,4}\/bin\/(ba)?sh/
    $fifo = /mkfifo\s{1,4}[^\r\n;]{1,60};[^\r\n]{0,100}\|\s{0,4}(\/bin\/)?sh\s/
    $python = /socket\.socket\([^\r\n]{0,200}os\.dup2\(/
    $perl = /use Socket;[^\r\n]{0,200}exec\s{0,4}\(?["']\/bin\/sh/
  condition:
    any of them
}

rule default_pipe_names : network implant
{
  meta:
    description = "Names of pipes that remote-control frameworks have by default"
    severity = "high"
    benign = "Detections and articles about them hold the same names"
    attack = "T1071 T1570"
    mbc = "B0030"
  strings:
    $a = /\\\\[.%a-z]{1,8}\\pipe\\msagent_[0-9a-f%x]{2}/ nocase ascii wide
    $b = /\\\\[.%a-z]{1,8}\\pipe\\MSSE-[0-9%d]{2,4}-server/ nocase ascii wide
    $c = /\\\\[.%a-z]{1,8}\\pipe\\postex_(ssh_)?[0-9a-f%x]{2}/ nocase ascii wide
    $d = /\\pipe\\gruntsvc/ nocase ascii wide
  condition:
    any of them
}

rule chat_service_as_channel : network exfiltration
{
  meta:
    description = "An address of a chat service that takes messages from programs"
    severity = "medium"
    benign = "Bots and build systems report to chats in this way"
    attack = "T1102 T1567.004"
  strings:
    $telegram = /api\.telegram\.org\/bot[0-9]{5,10}:[A-Za-z0-9_-]{8}/ ascii wide
    $discord = /discord(app)?\.com\/api\/webhooks\/[0-9]{10}/ ascii wide
    $slack = /hooks\.slack\.com\/services\/T[A-Z0-9]{6}/ ascii wide
  condition:
    any of them
}

rule hidden_service_address : network
{
  meta:
    description = "An address inside the Tor network"
    severity = "medium"
    benign = "Privacy software and mirrors name such addresses"
    attack = "T1090.003"
  strings:
    $onion = /\b[a-z2-7]{56}\.onion\b/ ascii wide
  condition:
    $onion
}

rule mining_pool_words : network mining
{
  meta:
    description = "Words of the protocol of mining pools"
    severity = "medium"
    benign = "Miners that people install for themselves hold them"
    attack = "T1496"
    mbc = "B0018"
  strings:
    $scheme = /stratum\+(tcp|ssl|tls):\/\// nocase ascii wide
    $method = "mining.subscribe"
    $algorithm = "cryptonight" nocase
    $flag = "--donate-level"
  condition:
    $scheme or 2 of them
}

rule paste_service_fetch : network download
{
  meta:
    description = "The raw text of a paste service is addressed"
    severity = "low"
    benign = "Scripts that people share on such services name them"
    attack = "T1102"
  strings:
    $a = /pastebin\.com\/raw\/[A-Za-z0-9]{6}/ ascii wide
    $b = /paste\.ee\/r\/[A-Za-z0-9]{4}/ ascii wide
    $c = /rentry\.(co|org)\/[A-Za-z0-9]{4,20}\/raw/ ascii wide
  condition:
    any of them
}
