import { digestMark, readOwnerField, splitText } from './ledger-field';

/** The subject in a field: itself or, if it is long, its digest. */
export interface FieldSubject {
  readonly subject: string | null;
  /** Base64url of the first 132 bits of the subject's SHA-256; of 72 bits where the name of the field has no more. */
  readonly digest: string | null;
}

/** The subject in a ledger's field, as far as it stands there. */
function subjectOfField(field: string): FieldSubject {
  const rest = splitText(field.slice(field.indexOf(':') + 1)).subject;
  return rest.startsWith(digestMark)
    ? { subject: null, digest: rest.slice(digestMark.length) }
    : { subject: rest, digest: null };
}

/** The subject in a field of a grant to the user or to the owner. */
export function subjectInField(field: string): FieldSubject {
  const owned = readOwnerField(field);
  return subjectOfField(owned ? `:${owned.subject}` : field);
}
