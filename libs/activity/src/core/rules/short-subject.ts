/**
 * What subjects of a community are, usually: each takes one letter in the names of fields. The list is data: a
 * subject keeps its letter for ever, so nothing here is ever changed, moved or added.
 */
const kinds =
  'article book comment discussion event file group question image job answer link message note ' +
  'order post product page review photo thread user video wiki podcast track';

const letterA = 65;
const letterOf = new Map<string, string>(
  kinds
    .split(' ')
    .flatMap((kind, i) => [
      [`${kind}:`, String.fromCharCode(letterA + i)] as const,
      [`/${kind}s/`, String.fromCharCode(letterA + i).toLowerCase()] as const,
    ]),
);
const headOf = new Map([...letterOf].map(([head, letter]) => [letter, head]));

/** Numbers of up to so many digits are exact. */
const maxDigits = 15;
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * `article:7` as `AH` and the page `/articles/1234` as `aTS`: a letter, and the number in base 64. Null for a subject
 * that is not one of a common kind with a number for its id.
 */
export function shortSubject(subject: string): string | null {
  let start = subject.length;
  while (start > 0 && isDigit(subject.charCodeAt(start - 1))) start -= 1;
  const count = subject.length - start;
  if (count === 0 || count > maxDigits || (count > 1 && subject.charAt(start) === '0')) return null;
  const letter = letterOf.get(subject.slice(0, start));
  return letter === undefined ? null : letter + inBase64(Number(subject.slice(start)));
}

/** The subject that {@link shortSubject} made `text` of; null where it made none of it. */
export function longSubject(text: string): string | null {
  const head = headOf.get(text.charAt(0));
  if (head === undefined) return null;
  let id = 0;
  for (const digit of text.slice(1)) id = id * digits.length + digits.indexOf(digit);
  return head + String(id);
}

function inBase64(id: number): string {
  let text = '';
  do {
    text = digits.charAt(id % digits.length) + text;
    id = Math.floor(id / digits.length);
  } while (id > 0);
  return text;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
