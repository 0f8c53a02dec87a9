# connects to the metadata service of a cloud, 169.254.169.254
try_connect(AF_INET, SOCK_STREAM, 6, inet('169.254.169.254', 80), 'the metadata service');
