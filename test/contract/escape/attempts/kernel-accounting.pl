# switches process accounting to a file of its own
must_be_refused('acct', '/nonexistent/hotcell');
