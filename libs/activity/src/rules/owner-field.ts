import type { FieldsNaming } from '@laurel/leaderboard/internals';
import { randomBytes } from 'node:crypto';
import { codeOfField, type FieldSubject, maxSubjectBytes, shortText, subjectOfField } from './ledger-field';
import { subjectOfUser } from '../activity/owner';

/** What the fields of grants to owners begin with; no rule has this code. */
export const ownerFieldPrefix = 'owner:';

/** Givers and subjects up to here stand in the field as they are: it has at most 64 bytes. */
const maxPlainBytes = 22;

/** What a field says of a grant to an owner. */
export interface OwnerField {
  /** Of the action's rule. */
  readonly code: string;
  /** The giver, as {@link giverToken} names them; `#` and 16 characters if they were erased. */
  readonly giver: string;
  /** What it was done to, as it is or as a digest. */
  readonly subject: string;
}

/** A giver's name in fields: the id, or a digest of a long id. No two users have the same. */
export function giverToken(userId: string): string {
  return shortText(userId, maxPlainBytes);
}

/**
 * The field of a grant in an owner's ledger: one for each giver, action and subject. The length of the giver's name
 * comes first, so that no two fields can be equal, whatever the ids hold.
 */
export function ownerField(code: string, userId: string, subject: string): string {
  return fieldOf(code, giverToken(userId), shortText(subject, maxPlainBytes));
}

/** What {@link ownerField} made a field of; null where it is another's. */
export function readOwnerField(field: string): OwnerField | null {
  const [head, code = '', length] = /^owner:([a-z0-9]+):(\d+):/.exec(field) ?? [];
  if (head === undefined) return null;
  const end = head.length + Number(length);
  return { code, giver: field.slice(head.length, end), subject: field.slice(end) };
}

/** What a field says of the subject of its grant, whether that was given to who did it or to its owner. */
export function subjectInField(field: string): FieldSubject {
  const owned = readOwnerField(field);
  return subjectOfField(owned ? `:${owned.subject}` : field);
}

/** `#` and 16 characters: shorter than any digest, so it never equals a giver's name. */
const namelessBytes = 12;

/**
 * How fields of others' ledgers name a user, for who erases them: as the giver of a grant to an owner, and as the
 * subject of what others did to them. Both become one random token, the same in all fields, so that these stay apart,
 * and nothing tells whose it was.
 */
export function namingOf(userId: string): FieldsNaming {
  const giver = giverToken(userId);
  const subject = subjectOfUser(userId);
  const [plain, owned] = [shortText(subject, maxSubjectBytes), shortText(subject, maxPlainBytes)];
  const nameless = `#${randomBytes(namelessBytes).toString('base64url')}`;
  const namelessSubject = subjectOfUser(nameless);
  return {
    patterns: [
      `${ownerFieldPrefix}*:${giver.length}:${literal(giver)}*`,
      ...new Set([plain, owned].map((text) => `*${literal(text)}`)),
    ],
    renamed: (field) => {
      const own = readOwnerField(field);
      if (!own) return field === `${codeOfField(field)}:${plain}` ? `${codeOfField(field)}:${namelessSubject}` : null;
      if (own.giver !== giver && own.subject !== owned) return null;
      const by = own.giver === giver ? nameless : own.giver;
      return fieldOf(own.code, by, own.subject === owned ? shortText(namelessSubject, maxPlainBytes) : own.subject);
    },
  };
}

/** A text as patterns of Redis have it. */
function literal(text: string): string {
  return text.replace(/[*?[\]\\^-]/g, '\\$&');
}

function fieldOf(code: string, giver: string, subject: string): string {
  return `${ownerFieldPrefix}${code}:${giver.length}:${giver}${subject}`;
}
