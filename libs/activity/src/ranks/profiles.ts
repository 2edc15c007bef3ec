import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { within } from '../deadlines/deadline';
import { errorTrace } from '../http/error-trace';
import { USER_DIRECTORY, type UserDirectory, type UserProfile } from '../extensions/user-directory';

const nobody: ReadonlyMap<string, UserProfile> = new Map();

/** How long ranks wait for names. */
const timeoutMs = 1_000;

/** Names and avatars for ranks. Ranks never fail for want of them. */
@Injectable()
export class Profiles {
  private readonly logger = new Logger(Profiles.name);

  constructor(@Optional() @Inject(USER_DIRECTORY) private readonly directory?: UserDirectory) {}

  /** The profiles known: none where the directory fails or takes longer than a second. */
  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>> {
    if (!this.directory || userIds.length === 0) return nobody;
    try {
      return await within(timeoutMs, this.directory.find(userIds), () => {
        throw new Error(`no answer within ${timeoutMs} ms`);
      });
    } catch (error) {
      this.logger.error('The user directory failed: ranks are shown without names', errorTrace(error));
      return nobody;
    }
  }
}
