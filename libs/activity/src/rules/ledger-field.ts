import { createHash } from 'node:crypto';

/** Subjects up to here stand in the ledger as they are, longer ones as a digest: short fields keep ledgers small. */
export const maxSubjectBytes = 40;

/** What a digest begins with. A subject that begins so itself is stored as a digest too: no two can meet. */
const digestMark = '#';

/** 22 characters of base64url are 132 bits of the SHA-256: no two subjects of one user-day will ever share them. */
const digestLength = 22;

/** The ledger's field of an action, by its rule's code, on a subject: at most 50 bytes. */
export function ledgerField(code: string, subject: string): string {
  return `${code}:${shortText(subject, maxSubjectBytes)}`;
}

/** A text as it is where it has at most so many bytes, else its digest, of 23. No two texts have the same. */
export function shortText(text: string, maxBytes: number): string {
  return isPlain(text, maxBytes) ? text : digestMark + digestOf(text);
}

/** What the fields of a rule's code begin with. */
export function ledgerFieldPrefix(code: string): string {
  return `${code}:`;
}

/** The rule's code in a ledger's field. */
export function codeOfField(field: string): string {
  return field.slice(0, field.indexOf(':'));
}

/** What a field says of its subject: the subject itself or, where it is long, its digest. */
export interface FieldSubject {
  readonly subject: string | null;
  /** Base64url of the first 132 bits of the subject's SHA-256. */
  readonly digest: string | null;
}

/** The subject in a ledger's field, as far as it stands there. */
export function subjectOfField(field: string): FieldSubject {
  const rest = field.slice(field.indexOf(':') + 1);
  return rest.startsWith(digestMark)
    ? { subject: null, digest: rest.slice(digestMark.length) }
    : { subject: rest, digest: null };
}

function isPlain(text: string, maxBytes: number): boolean {
  return !text.startsWith(digestMark) && text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes;
}

function digestOf(subject: string): string {
  return createHash('sha256').update(subject).digest('base64url').slice(0, digestLength);
}
