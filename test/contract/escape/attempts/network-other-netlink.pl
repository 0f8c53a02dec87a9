# opens netlink sockets to the kernel's subsystems and asks for audit and device events
my @opened;
for my $protocol (4, 6, 7, 9, 10, 12, 15, 16, 18, 20, 21) {
  socket(my $socket, 16, SOCK_RAW, $protocol) or next;
  push @opened, $protocol;
  next if $protocol != 15;
  bind($socket, pack('SSLL', 16, 0, 0, 1)) or next;
  escaped('hears of device events') if ready($socket, 0, 0);
}
contained('opened ' . (join(' ', @opened) || 'none') . ', none of them said anything');
