import { Inject, Injectable } from '@nestjs/common';
import type { HttpRequest } from './request';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { ApiKey } from './api-key';

/** Who looks at what anybody may look at, where some may see more of it. */
@Injectable()
export class Viewer {
  constructor(
    private readonly apiKey: ApiKey,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /** Whether a request comes from that user or has the API key. Refuses no request. */
  isSelfOrKey(request: HttpRequest, userId: string): boolean {
    return this.apiKey.check(request) === 'valid' || this.settings.currentUser(request) === userId;
  }
}
