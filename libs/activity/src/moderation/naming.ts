import type { FieldsNaming, GrantsWanted } from '@laurel/leaderboard/internals';
import { createHash, randomBytes } from 'node:crypto';
import { subjectOfUser, userIn } from '../core/activity/activity';
import {
  digestMark,
  fieldNames,
  giverToken,
  joinedText,
  listedText,
  maxPlainOwnerBytes,
  maxPlainSubjectBytes,
  ownerField,
  readOwnerField,
  shortText,
  splitText,
} from '../core/rules/ledger-field';

/** `#` and 16 characters: shorter than any digest, so it never equals a giver's name. */
const namelessBytes = 12;

/**
 * The names of a user in fields of others' ledgers, for an erasure: as the giver of a grant to an owner, and as the
 * subject of others' activities. Both become one token, the same in all fields, so that fields stay different, and none
 * names the user.
 * @param seed of the token: what is interrupted goes on with the same. Default: random.
 */
export function namingOf(userId: string, seed: string | Buffer = randomBytes(namelessBytes)): FieldsNaming {
  const giver = giverToken(userId);
  const subject = subjectOfUser(userId);
  const { plain, owned, short, isNamed } = namedBySubject(subject);
  const nameless = `#${createHash('sha1').update(seed).digest().subarray(0, namelessBytes).toString('base64url')}`;
  const namelessSubject = subjectOfUser(nameless);
  const namelessOwned = shortText(namelessSubject, maxPlainOwnerBytes);
  return {
    nameless,
    texts: [...new Set([giver, owned, listedText(plain)])],
    textsIn,
    pieces: [`:${giver.length}:${giver}`, owned, short],
    renamed: (field) => {
      const own = readOwnerField(field);
      if (!own) {
        const [code = ''] = /^[a-z0-9]*/.exec(field) ?? [];
        const byId = splitText(field.slice(code.length + 1));
        if (byId.id !== null) return isNamed(byId.subject) ? `${code}:${joinedText(namelessOwned, byId.id)}` : null;
        return field === code + short ? `${code}:${namelessSubject}` : null;
      }
      const { subject: of, id } = splitText(own.subject);
      if (own.giver !== giver && !isNamed(of)) return null;
      const by = own.giver === giver ? nameless : own.giver;
      return ownerField(own.code, by, joinedText(isNamed(of) ? namelessOwned : of, id));
    },
  };
}

/** The grants of activities that were done to a subject, to who did them and to its owner. */
export function doneTo(subject: string): GrantsWanted {
  const { owned, short, isNamed } = namedBySubject(subject);
  const includes = (field: string) => {
    const own = readOwnerField(field);
    const named = field.slice(field.indexOf(':'));
    const { subject: of, id } = splitText(own ? own.subject : named.slice(1));
    return own || id !== null ? isNamed(of) : fieldNames.short(named) === short;
  };
  return { pieces: [owned, short], includes };
}

/** How fields name a subject. */
function namedBySubject(subject: string) {
  const [plain, owned] = [shortText(subject, maxPlainSubjectBytes), shortText(subject, maxPlainOwnerBytes)];
  const short = fieldNames.short(`:${plain}`);
  // What an owner is given for a subject that is a digest names it by as much as the giver's field does.
  return { plain, owned, short, isNamed: (text: string) => text === owned || text === listedText(plain) };
}

/** The texts by which a field may name a user: as the giver of a grant to an owner, and as a subject. */
function textsIn(name: string): string[] {
  const own = readOwnerField(name);
  const field = fieldNames.long(name);
  const { subject } = splitText(own ? own.subject : field.slice(field.indexOf(':') + 1));
  if (own) return [own.giver, ...(mayBeUser(subject) ? [subject] : [])];
  return mayBeUser(subject) ? [listedText(subject), subject] : [];
}

/** A digest may be that of a user. */
function mayBeUser(subject: string): boolean {
  return subject.startsWith(digestMark) || userIn(subject) !== null;
}
