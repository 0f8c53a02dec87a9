rule crypto_aes_table : crypto
{
  meta:
    description = "The substitution table of AES"
    severity = "info"
    benign = "Every program that encrypts for itself holds it"
    attack = "T1027"
    mbc = "C0027.001"
  strings:
    $table = { 63 7c 77 7b f2 6b 6f c5 30 01 67 2b fe d7 ab 76 }
  condition:
    $table
}

rule crypto_aes_inverse_table : crypto
{
  meta:
    description = "The inverse substitution table of AES"
    severity = "info"
    benign = "Every program that decrypts for itself holds it"
    attack = "T1140"
    mbc = "C0031.001"
  strings:
    $table = { 52 09 6a d5 30 36 a5 38 bf 40 a3 9e 81 f3 d7 fb }
  condition:
    $table
}

rule crypto_sha256_constants : crypto
{
  meta:
    description = "The constants of SHA-256"
    severity = "info"
    benign = "Very many programs calculate this hash"
    mbc = "C0029.003"
  strings:
    $little = { 98 2f 8a 42 91 44 37 71 cf fb c0 b5 a5 db b5 e9 }
    $big = { 42 8a 2f 98 71 37 44 91 b5 c0 fb cf e9 b5 db a5 }
  condition:
    any of them
}

rule crypto_md5_constants : crypto
{
  meta:
    description = "The constants of MD5"
    severity = "info"
    benign = "Very many programs calculate this hash"
    mbc = "C0029.001"
  strings:
    $table = { 78 a4 6a d7 56 b7 c7 e8 db 70 20 24 ee ce bd c1 }
  condition:
    $table
}

rule crypto_chacha_salsa : crypto
{
  meta:
    description = "The constant of ChaCha and Salsa"
    severity = "info"
    benign = "Libraries for secure connections hold it"
    attack = "T1573.001"
    mbc = "C0027"
  strings:
    $words = "expand 32-byte k"
  condition:
    $words
}

rule crypto_public_key_blob : crypto
{
  meta:
    description = "A public key of RSA in the form of Windows"
    severity = "low"
    benign = "Licence checks hold such a key"
    attack = "T1573.002"
  strings:
    $blob = { 06 02 00 00 00 a4 00 00 52 53 41 31 }
  condition:
    $blob
}

rule private_key_text : credentials
{
  meta:
    description = "A private key as text"
    severity = "medium"
    benign = "Test data of libraries holds private keys"
    attack = "T1552.004"
  strings:
    $key = /-----BEGIN (RSA |EC |DSA |OPENSSH |ENCRYPTED )?PRIVATE KEY-----/
  condition:
    $key
}
