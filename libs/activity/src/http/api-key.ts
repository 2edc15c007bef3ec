import { Inject, Injectable, Logger } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest } from './request';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** `none`: the request brings no key. `notConfigured`: there is none that could match. */
export type ApiKeyCheck = 'valid' | 'none' | 'wrong' | 'notConfigured';

/** A shorter key is told of at the start. */
const strongKeyLength = 16;

/** The key of service-to-service routes, sent as `Authorization: Bearer`. */
@Injectable()
export class ApiKey {
  private readonly digest: Buffer | null;
  /** By the headers of a request: hooks, guards and routes ask for the same key. */
  private readonly checked = new WeakMap<object, ApiKeyCheck>();

  constructor(@Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings) {
    const { apiKey } = settings;
    this.digest = apiKey === null ? null : digestOf(apiKey);
    if (apiKey !== null && apiKey.length < strongKeyLength) {
      new Logger(ApiKey.name).warn(
        `apiKey has ${apiKey.length} characters and can be found by trying: use ${strongKeyLength} or more.`,
      );
    }
  }

  /** Looks at the request's key; takes the same time wherever it differs. */
  check({ headers }: Pick<HttpRequest, 'headers'>): ApiKeyCheck {
    if (this.digest === null) return 'notConfigured';
    const { authorization } = headers;
    if (typeof authorization !== 'string') return 'none';
    let check = this.checked.get(headers);
    if (check === undefined) this.checked.set(headers, (check = checkOf(authorization, this.digest)));
    return check;
  }

  /** Whether a request brings the key, or comes from the user: who may see what is theirs alone. */
  isSelfOrKey(request: HttpRequest, userId: string | undefined): boolean {
    if (this.check(request) === 'valid') return true;
    const user = this.settings.currentUser(request);
    return user !== null && user === userId;
  }
}

function checkOf(authorization: string, digest: Buffer): ApiKeyCheck {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token === undefined) return 'none';
  return timingSafeEqual(digestOf(token), digest) ? 'valid' : 'wrong';
}

/** Digests have one length, which the comparison needs; the key's own length stays hidden. */
function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
