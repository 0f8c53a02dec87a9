# opens /dev/kvm
try_open('/dev/kvm', O_RDWR);
