/** Values that stand where a secret would: documentation, templates, references to where it really is. */

const words =
  /example|sample|placeholder|dummy|fake|test|changeme|change_me|your[-_ ]?|my[-_]?(?:secret|token|key|password)|xxx|todo|redacted|replace|insert|enter[-_]|secret[-_]?here|token[-_]?here|key[-_]?here|not[-_]?a[-_]?real|lorem|foobar|123456|abcdef|qwerty|deadbeef|password|undefined|null|none/i;
/** `${X}`, `<x>`, `{{x}}`, `%X%`, `$X`, `process.env.X`, `os.environ[…]`, `***` */
const references = /^\$|[<>{}[\]()]|^%.*%$|process\.env|os\.environ|getenv|\*{3}|\.{3}|…/;

/** The same few characters again and again, or a run along the alphabet. */
function isMonotonous(text: string): boolean {
  const letters = new Set(text);
  if (letters.size <= Math.min(5, text.length / 3)) return true;
  let run = 1;
  for (let index = 1; index < text.length; index += 1) {
    const step = text.charCodeAt(index) - text.charCodeAt(index - 1);
    run = step === 1 || step === 0 ? run + 1 : 1;
    if (run >= 8) return true;
  }
  return false;
}

/** For a value that only its surroundings make a secret. */
export function isPlaceholder(value: string): boolean {
  return words.test(value) || references.test(value) || isMonotonous(value);
}

/** For a value in the form of a vendor: letters of random text can spell a short word, so only clear ones count. */
export function isExampleToken(token: string): boolean {
  const body = token.replace(/^[A-Za-z]{2,6}[-_]/, '');
  return (
    /EXAMPLE|example|placeholder|your[-_]|xxxx|XXXX|0000000|1234567|abcdefg|ABCDEFG|redacted|REDACTED|\.{3}|changeme|dummy|(?:fake|test)[-_]?(?:key|token)/.test(
      token,
    ) ||
    (body.length < 300 && isMonotonous(body))
  );
}
