import { baitFile, type DecoyContext, type DecoyKind, daysBefore, plainFile } from '../decoy.ts';
import { makeDatabase } from '../sqlite-file.ts';
import { password } from '../vendors/password.ts';
import { sessionCookie } from '../vendors/session-cookie.ts';

const profile = '.config/google-chrome/Default';

/** Chrome counts microseconds from 1601. */
function chromeTime(date: Date): bigint {
  return (BigInt(date.getTime()) + 11_644_473_600_000n) * 1000n;
}

/** The schemas are those of the browser, as far as anything that reads them looks. */
const loginTable = `CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR,
  username_value VARCHAR, password_element VARCHAR, password_value BLOB, signon_realm VARCHAR NOT NULL,
  date_created INTEGER NOT NULL, blacklisted_by_user INTEGER NOT NULL, scheme INTEGER NOT NULL, times_used INTEGER,
  id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0);
CREATE TABLE meta (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
INSERT INTO meta VALUES ('version', '40'), ('last_compatible_version', '40');`;

const cookieTable = `CREATE TABLE cookies (creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL, name TEXT NOT NULL,
  value TEXT NOT NULL, encrypted_value BLOB NOT NULL, path TEXT NOT NULL, expires_utc INTEGER NOT NULL,
  is_secure INTEGER NOT NULL, is_httponly INTEGER NOT NULL, last_access_utc INTEGER NOT NULL,
  has_expires INTEGER NOT NULL, is_persistent INTEGER NOT NULL);
CREATE UNIQUE INDEX cookies_unique_index ON cookies(host_key, name, path);
CREATE TABLE meta (key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR);
INSERT INTO meta VALUES ('version', '24'), ('last_compatible_version', '24');`;

/** On a machine without a key ring the browser keeps passwords in the clear. */
function logins({ now, person }: DecoyContext, passwords: readonly string[]): Buffer {
  const sites = ['https://github.com', `https://sso.${person.company}.example`, 'https://mail.google.com'];
  return makeDatabase((database) => {
    database.exec(loginTable);
    const insert = database.prepare('INSERT INTO logins VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, NULL, ?)');
    passwords.forEach((value, index) => {
      const site = sites[index] ?? '';
      const madeAt = chromeTime(daysBefore(now, 300 - index * 60));
      insert.run(
        `${site}/login`,
        `${site}/session`,
        'login',
        person.email,
        'password',
        Buffer.from(value),
        `${site}/`,
        madeAt,
        12 + index,
        chromeTime(daysBefore(now, index + 1)),
      );
    });
  });
}

function cookies({ now, person }: DecoyContext, values: readonly string[]): Buffer {
  const hosts = ['github.com', `.${person.company}.example`];
  return makeDatabase((database) => {
    database.exec(cookieTable);
    const insert = database.prepare("INSERT INTO cookies VALUES (?, ?, ?, ?, x'', '/', ?, 1, 1, ?, 1, 1)");
    values.forEach((value, index) => {
      insert.run(
        chromeTime(daysBefore(now, 9)),
        hosts[index] ?? '',
        index === 0 ? 'user_session' : 'sid',
        value,
        chromeTime(daysBefore(now, -21)),
        chromeTime(daysBefore(now, 1)),
      );
    });
  });
}

export const browser: DecoyKind = {
  id: 'browser',
  title: 'Saved passwords and cookies of a browser',
  make: (context) => ({
    files: [
      baitFile(context, `${profile}/Login Data`, [password, password, password], (...values) =>
        logins(context, values),
      ),
      baitFile(context, `${profile}/Cookies`, [sessionCookie, sessionCookie], (...values) => cookies(context, values)),
      plainFile('.config/google-chrome/Local State', JSON.stringify({ profile: { last_used: 'Default' } }), 0o600),
    ],
  }),
};
