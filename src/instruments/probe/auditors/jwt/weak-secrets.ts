/** Secrets that stand in examples, start-up templates and habits. Short on purpose: this is a check, not an attack. */
export const weakSecrets: readonly string[] = [
  '',
  ...`secret Secret SECRET secret1 secret123 secretkey secret_key secret-key secretKey mysecret my_secret my-secret
    mysecretkey my_secret_key my-secret-key mySecretKey topsecret top_secret supersecret super_secret super-secret
    supersecretkey verysecret very_secret notsosecret not-so-secret shhhhh shhh s3cr3t s3cret sekrit
    password Password PASSWORD password1 password123 passw0rd p@ssw0rd P@ssw0rd pass passphrase letmein welcome
    changeme changeit change_me change-me CHANGEME ChangeMe changethis change_this please-change-me
    admin admin123 administrator root toor user guest test test123 testing tester demo example sample default
    dev develop development staging production prod local localhost debug
    123456 1234567 12345678 123456789 1234567890 0123456789 12345 1234 123 111111 000000 abc123 abcdef abcdefg
    qwerty qwerty123 qwertyuiop asdf asdfgh zxcvbn
    key key123 apikey api_key api-key privatekey private_key private-key signingkey signing_key signing-key
    jwt jwtsecret jwt_secret jwt-secret JWT_SECRET jwtSecret jwtkey jwt_key jwt-key jwtsecretkey jwt_secret_key
    token tokensecret token_secret token-secret access accesssecret access_secret refresh_secret
    auth authsecret auth_secret auth-secret session session_secret session-secret cookie_secret
    app app_secret app-secret appsecret server serversecret hmac hmac_secret hs256 HS256
    your_secret your-secret yoursecret your_secret_key your-secret-key your-256-bit-secret your-384-bit-secret
    your-512-bit-secret a-string-secret-at-least-256-bits-long a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long
    insecure unsafe temp temporary foobar foo bar hello helloworld keyboard-cat none null undefined`
    .split(/\s+/)
    .filter((word) => word !== ''),
  'keyboard cat',
  'secret key',
  'my secret',
  'top secret',
];
