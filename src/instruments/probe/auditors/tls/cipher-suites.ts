/** Cipher suites by their registered numbers (IANA, TLS Cipher Suites). The name says everything that is judged here. */
export const cipherSuites: ReadonlyMap<number, string> = new Map([
  [0x1301, 'TLS_AES_128_GCM_SHA256'],
  [0x1302, 'TLS_AES_256_GCM_SHA384'],
  [0x1303, 'TLS_CHACHA20_POLY1305_SHA256'],
  [0x1304, 'TLS_AES_128_CCM_SHA256'],
  [0x1305, 'TLS_AES_128_CCM_8_SHA256'],
  [0xc02c, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'],
  [0xc030, 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
  [0xc02b, 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
  [0xc02f, 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
  [0xcca9, 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
  [0xcca8, 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  [0xccaa, 'TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  [0x009f, 'TLS_DHE_RSA_WITH_AES_256_GCM_SHA384'],
  [0x009e, 'TLS_DHE_RSA_WITH_AES_128_GCM_SHA256'],
  [0xc0ad, 'TLS_ECDHE_ECDSA_WITH_AES_256_CCM'],
  [0xc0ac, 'TLS_ECDHE_ECDSA_WITH_AES_128_CCM'],
  [0xc024, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384'],
  [0xc023, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256'],
  [0xc028, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384'],
  [0xc027, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256'],
  [0xc00a, 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA'],
  [0xc009, 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA'],
  [0xc014, 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA'],
  [0xc013, 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA'],
  [0x006b, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA256'],
  [0x0067, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA256'],
  [0x0039, 'TLS_DHE_RSA_WITH_AES_256_CBC_SHA'],
  [0x0033, 'TLS_DHE_RSA_WITH_AES_128_CBC_SHA'],
  [0x0088, 'TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA'],
  [0x0045, 'TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA'],
  [0x009a, 'TLS_DHE_RSA_WITH_SEED_CBC_SHA'],
  [0x009d, 'TLS_RSA_WITH_AES_256_GCM_SHA384'],
  [0x009c, 'TLS_RSA_WITH_AES_128_GCM_SHA256'],
  [0xc09d, 'TLS_RSA_WITH_AES_256_CCM'],
  [0xc09c, 'TLS_RSA_WITH_AES_128_CCM'],
  [0x003d, 'TLS_RSA_WITH_AES_256_CBC_SHA256'],
  [0x003c, 'TLS_RSA_WITH_AES_128_CBC_SHA256'],
  [0x0035, 'TLS_RSA_WITH_AES_256_CBC_SHA'],
  [0x002f, 'TLS_RSA_WITH_AES_128_CBC_SHA'],
  [0x0084, 'TLS_RSA_WITH_CAMELLIA_256_CBC_SHA'],
  [0x0041, 'TLS_RSA_WITH_CAMELLIA_128_CBC_SHA'],
  [0x0096, 'TLS_RSA_WITH_SEED_CBC_SHA'],
  [0x0007, 'TLS_RSA_WITH_IDEA_CBC_SHA'],
  [0xc008, 'TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA'],
  [0xc012, 'TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA'],
  [0x0016, 'TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA'],
  [0x000a, 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'],
  [0xc007, 'TLS_ECDHE_ECDSA_WITH_RC4_128_SHA'],
  [0xc011, 'TLS_ECDHE_RSA_WITH_RC4_128_SHA'],
  [0x0005, 'TLS_RSA_WITH_RC4_128_SHA'],
  [0x0004, 'TLS_RSA_WITH_RC4_128_MD5'],
  [0x0015, 'TLS_DHE_RSA_WITH_DES_CBC_SHA'],
  [0x0009, 'TLS_RSA_WITH_DES_CBC_SHA'],
  [0x0014, 'TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA'],
  [0x0008, 'TLS_RSA_EXPORT_WITH_DES40_CBC_SHA'],
  [0x0006, 'TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5'],
  [0x0003, 'TLS_RSA_EXPORT_WITH_RC4_40_MD5'],
  [0xc019, 'TLS_ECDH_anon_WITH_AES_256_CBC_SHA'],
  [0xc018, 'TLS_ECDH_anon_WITH_AES_128_CBC_SHA'],
  [0xc017, 'TLS_ECDH_anon_WITH_3DES_EDE_CBC_SHA'],
  [0xc016, 'TLS_ECDH_anon_WITH_RC4_128_SHA'],
  [0xc015, 'TLS_ECDH_anon_WITH_NULL_SHA'],
  [0x00a7, 'TLS_DH_anon_WITH_AES_256_GCM_SHA384'],
  [0x00a6, 'TLS_DH_anon_WITH_AES_128_GCM_SHA256'],
  [0x006d, 'TLS_DH_anon_WITH_AES_256_CBC_SHA256'],
  [0x006c, 'TLS_DH_anon_WITH_AES_128_CBC_SHA256'],
  [0x003a, 'TLS_DH_anon_WITH_AES_256_CBC_SHA'],
  [0x0034, 'TLS_DH_anon_WITH_AES_128_CBC_SHA'],
  [0x001b, 'TLS_DH_anon_WITH_3DES_EDE_CBC_SHA'],
  [0x001a, 'TLS_DH_anon_WITH_DES_CBC_SHA'],
  [0x0019, 'TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA'],
  [0x0018, 'TLS_DH_anon_WITH_RC4_128_MD5'],
  [0x0017, 'TLS_DH_anon_EXPORT_WITH_RC4_40_MD5'],
  [0xc006, 'TLS_ECDHE_ECDSA_WITH_NULL_SHA'],
  [0xc010, 'TLS_ECDHE_RSA_WITH_NULL_SHA'],
  [0x003b, 'TLS_RSA_WITH_NULL_SHA256'],
  [0x0002, 'TLS_RSA_WITH_NULL_SHA'],
  [0x0001, 'TLS_RSA_WITH_NULL_MD5'],
]);

export const suiteName = (id: number): string =>
  cipherSuites.get(id) ?? `0x${id.toString(16).padStart(4, '0').toUpperCase()}`;

const isOfVersion13 = (id: number): boolean => id >> 8 === 0x13;

/** What can be offered in a version, in our order of liking. */
export function suitesOf(version: number): readonly number[] {
  return [...cipherSuites.keys()].filter((id) => isOfVersion13(id) === (version === 0x0304));
}

export type CipherWeakness = 'null' | 'anonymous' | 'export' | 'rc4' | 'des' | '3des' | 'no-forward-secrecy' | 'cbc';

const marks: readonly (readonly [CipherWeakness, RegExp])[] = [
  ['null', /_NULL_/],
  ['anonymous', /_anon_/],
  ['export', /_EXPORT_/],
  ['rc4', /_RC4_/],
  ['des', /_DES(?:40)?_/],
  ['3des', /_3DES_|_IDEA_/],
  ['no-forward-secrecy', /^TLS_RSA_/],
  ['cbc', /_CBC_/],
];

export function weaknessesOf(id: number): readonly CipherWeakness[] {
  const name = suiteName(id);
  return marks.filter(([, mark]) => mark.test(name)).map(([weakness]) => weakness);
}
