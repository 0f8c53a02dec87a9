# opens the model-specific registers of the processor
try_open('/dev/cpu/0/msr', O_RDWR);
