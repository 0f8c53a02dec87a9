# lists and opens the files that the hotcell process has open
try_list("/proc/$given{hotcell}/fd");
