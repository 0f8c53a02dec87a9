# sets the host name and the domain name
my ($done, $error) = call('sethostname', $given{token}, length $given{token});
escaped('set the host name') if $done != -1;
must_fail('setdomainname', $given{token}, length $given{token});
