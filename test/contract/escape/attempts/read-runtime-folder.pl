# lists the folder in which hotcell keeps its boxes
try_list($given{runtime});
