import type { LedgerDay } from '@laurel/leaderboard';
import type { FieldNames } from '@laurel/leaderboard/internals';
import { createHash } from 'node:crypto';

/**
 * The usual subjects of a community: each takes one letter in the names of fields. The list is data: a
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

/** Subjects up to here stand in the ledger as they are, longer ones as a digest: short fields keep ledgers small. */
export const maxPlainSubjectBytes = 40;

/** The beginning of a digest. Subjects that begin so are stored as digests too, so that no two are equal. */
export const digestMark = '#';

/** 22 characters of base64url are 132 bits of the SHA-256: no two subjects of one user-day will ever share them. */
const digestLength = 22;

/** The ledger's field of an action, by its rule's code, on a subject: at most 50 bytes. */
export function ledgerField(code: string, subject: string): string {
  return `${code}:${shortText(subject, maxPlainSubjectBytes)}`;
}

/** The field of an action that counts each time by its id: at most 59 bytes. */
export function fieldById(code: string, subject: string, id: string): string {
  return `${code}:${joinedText(shortText(subject, maxPlainOwnerBytes), shortText(id, maxPlainOwnerBytes))}`;
}

/**
 * A subject's text with an id behind it: no subject alone is such a text, as digests hold no colon. The length of the
 * subject's comes first, so that no two are equal.
 */
export function joinedText(subject: string, id: string | null): string {
  return id === null ? subject : `${digestMark}${subject.length}:${subject}${id}`;
}

/** The subject in what follows a field's code, as it is or as a digest, and the id behind it; null: it has none. */
export function splitText(text: string): { readonly subject: string; readonly id: string | null } {
  const [head, length] = /^#(\d+):/.exec(text) ?? [];
  if (head === undefined) return { subject: text, id: null };
  const end = head.length + Number(length);
  return { subject: text.slice(head.length, end), id: text.slice(end) };
}

/** A text as it is where it has at most so many bytes, else its digest, of 23. No two texts have the same. */
export function shortText(text: string, maxBytes: number): string {
  return isPlain(text, maxBytes) ? text : digestMark + digestOf(text);
}

/** Of a digest in the name of a field: 72 bits. Longer than any short subject. */
const shortDigestLength = 12;

/**
 * The names of fields in Redis: `p#A7` for `p:article:7`, and `p#` with the beginning of a digest.
 * Codes hold no `#`, so no other field has such a name. Other fields keep theirs, and so do owners'.
 */
export const fieldNames: FieldNames = {
  short(field) {
    const end = field.indexOf(':');
    if (end < 0 || field.startsWith(ownerFieldPrefix)) return field;
    if (field.indexOf(':', end + 1) > 0 && field.startsWith(digestMark, end + 1)) return field;
    if (!field.startsWith(digestMark, end + 1)) {
      const short = shortSubject(field.slice(end + 1));
      return short === null ? field : field.slice(0, end) + digestMark + short;
    }
    const digest = field.slice(end + 2, end + 2 + shortDigestLength);
    return digest.length < shortDigestLength ? field : field.slice(0, end) + digestMark + digest;
  },
  long(name) {
    const [, code, text] = /^([a-z0-9]+)#(.+)$/.exec(name) ?? [];
    if (code === undefined || text === undefined) return name;
    return `${code}:${(text.length < shortDigestLength ? longSubject(text) : null) ?? digestMark + text}`;
  },
  isPaged: (field) => field.startsWith(ownerFieldPrefix),
  subject(name) {
    const field = fieldNames.long(name);
    const { subject, id } = splitText(field.slice(field.indexOf(':') + 1));
    return id === null ? name : fieldNames.short(`${codeOfField(field)}:${subject}`);
  },
  gift(userId, name) {
    const field = fieldNames.long(name);
    const { subject, id } = splitText(field.slice(field.indexOf(':') + 1));
    const short = subject.startsWith(digestMark) ? subject : shortText(subject, maxPlainOwnerBytes);
    const ofId = id === null ? null : digestOf(id).slice(0, shortDigestLength);
    const giver = giverToken(userId);
    return { field: ownerField(codeOfField(field), giver, joinedText(short, ofId)), texts: [giver] };
  },
  giver: (name) => {
    const giver = readOwnerField(name)?.giver;
    return giver === undefined || giver.startsWith(digestMark) ? null : giver;
  },
};

/** The rule's part of a field's name: `p`, or `owner:p` of an owner's gift. */
export function beginningOfName(name: string): string {
  const start = name.startsWith(ownerFieldPrefix) ? ownerFieldPrefix.length : 0;
  const [colon, mark] = [name.indexOf(':', start), name.indexOf(digestMark, start)];
  return name.slice(0, colon < 0 || (mark >= 0 && mark < colon) ? (mark < 0 ? name.length : mark) : colon);
}

/** The rule's code in a ledger's field. */
export function codeOfField(field: string): string {
  return field.slice(0, field.indexOf(':'));
}

function isPlain(text: string, maxBytes: number): boolean {
  return !text.startsWith(digestMark) && text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes;
}

function digestOf(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, digestLength);
}

/** The prefix of the fields of grants to owners; no rule has this code. */
export const ownerFieldPrefix = 'owner:';

/** Givers and subjects up to here stand in the field as they are: it has at most 64 bytes. */
export const maxPlainOwnerBytes = 22;

/** The parts of the name of an owner's field. */
export interface OwnerField {
  /** Of the action's rule. */
  readonly code: string;
  /** The giver, as {@link giverToken} names them; `#` and 16 characters if they were erased. */
  readonly giver: string;
  /** The subject, plain or as a digest; of an action that counts by ids with the id's digest. */
  readonly subject: string;
}

/** A giver's name in fields: the id, or a digest of a long id. No two users have the same. */
export function giverToken(userId: string): string {
  return shortText(userId, maxPlainOwnerBytes);
}

/** The arguments that {@link ownerField} made a field of; null for any other field. */
export function readOwnerField(field: string): OwnerField | null {
  const [head, code = '', length] = /^owner:([a-z0-9]+):(\d+):/.exec(field) ?? [];
  if (head === undefined) return null;
  const end = head.length + Number(length);
  return { code, giver: field.slice(head.length, end), subject: field.slice(end) };
}

/** As what the field of an activity names the user that is its subject. */
export function subjectText(subject: string): string {
  return listedText(shortText(subject, maxPlainSubjectBytes));
}

/** By what a subject is listed: a digest by as much of it as names of fields have. */
export function listedText(text: string): string {
  return text.startsWith(digestMark) ? text.slice(0, digestMark.length + shortDigestLength) : text;
}

/**
 * The field of a grant in an owner's ledger, of what its parts are named there: one for each giver, action and subject.
 * The length of the giver's name comes first, so that no two fields can be equal, whatever the ids hold.
 */
export function ownerField(code: string, giver: string, subject: string): string {
  return `${ownerFieldPrefix}${code}:${giver.length}:${giver}${subject}`;
}

/** The subject in a field: itself or, if it is long, its digest. */
export interface FieldSubject {
  readonly subject: string | null;
  /** Base64url of the first 132 bits of the subject's SHA-256; of 72 bits where the name of the field has no more. */
  readonly digest: string | null;
}

/** The subject in a field of a grant to the user or to the owner, as far as it stands there. */
export function subjectInField(field: string): FieldSubject {
  const { subject } = splitText(readOwnerField(field)?.subject ?? field.slice(field.indexOf(':') + 1));
  const isDigest = subject.startsWith(digestMark);
  return isDigest ? { subject: null, digest: subject.slice(digestMark.length) } : { subject, digest: null };
}

/** How often each action was done to what is a user's, as far as it stands: praises received, followers gained. */
export type ReceivedCounts = Readonly<Record<string, number>>;

/** The number of grants to a user as an owner, by action, from days of `Ledger.history`. */
export function receivedIn(days: readonly LedgerDay[], rules: { actionOfCode(code: string): string }): ReceivedCounts {
  // Codes of rules that have gone stand for themselves: none may meet what objects inherit.
  const counts = Object.create(null) as Record<string, number>;
  const add = (code: string, grants: number) => {
    const action = rules.actionOfCode(code);
    counts[action] = (counts[action] ?? 0) + grants;
  };
  for (const { fields, totals = [] } of days) {
    for (const { field, version } of fields) {
      const owned = version === null ? null : readOwnerField(field);
      if (owned) add(owned.code, 1);
    }
    // Their beginnings are as `owner:p:`.
    for (const { beginning, grants } of totals) add(beginning.slice(ownerFieldPrefix.length, -1), grants);
  }
  return counts;
}
