import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Observable, tap } from 'rxjs';
import { identifierFault, maxSubjectBytes, type Outcome } from '../activity/activity';
import { ActivityService } from '../recording/activity.service';
import { ActivityError } from '../errors/errors';
import type { HttpRequest } from '../http/request';
import type { Counter } from 'prom-client';
import { SharedMetrics } from '../observability/shared-metrics';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';
import { errorTrace } from '../http/error-trace';
import { RulesInForce } from '../rules/rules-in-force';
import { isBot } from './bots';
import { pagePath } from './page-path';
import { isFetchedByScript, type UnreadReason, whyUnread } from './unread';
import { SCORES_VISITS, type VisitOptions } from './visit.decorators';

/** The action that a visit is. */
const visitAction = 'view';

/**
 * The requests that an interceptor watches, and those whose visits were recorded before their answers had gone. One
 * that meets two interceptors, registered globally and by `@UseInterceptors`, which makes its own, is one visit.
 */
type SeenRequests = WeakMap<object, 'watched' | 'recorded'>;

/** By the settings of a module: two modules of one process each record a visit. */
const seenBy = new WeakMap<ActivitySettings, SeenRequests>();

/** The matched route, as Fastify (`routeOptions`) and Express (`route`) have it. */
interface RoutedRequest extends HttpRequest {
  readonly routeOptions?: { readonly url?: string };
  readonly route?: { readonly path?: unknown };
}

/** A request for a page whose visits score, and what they say. */
interface ScoringPage {
  readonly request: RoutedRequest;
  readonly response: PageResponse;
  readonly options: VisitOptions;
}

/** As much of a response as Fastify's `raw` one and Express' have in common. */
interface RawResponse {
  readonly statusCode: number;
  once(event: 'finish', listener: () => void): unknown;
}

/** As much of a response as Fastify's and Express' have in common, and Fastify's `raw` one. */
interface PageResponse extends Pick<RawResponse, 'statusCode'> {
  readonly raw?: RawResponse;
  getHeader(name: string): unknown;
}

/**
 * Records a view, once a day for each subject, when a signed-in user's GET on a route with `@ScoreVisit()` is answered
 * 2xx, or 304 by the platform. Prefetches, bots, embedded pages and HTML that scripts fetch earn nothing. It records
 * while the answer is sent, and never affects the page. Register it globally (`APP_INTERCEPTOR`) or with
 * `@UseInterceptors`.
 */
@Injectable()
export class VisitInterceptor implements NestInterceptor {
  private readonly logger = new Logger(VisitInterceptor.name);
  private readonly seen: SeenRequests;
  private readonly dropped: Counter;
  private readonly unread: Counter<'reason'>;

  constructor(
    private readonly activities: ActivityService,
    metrics: SharedMetrics,
    private readonly reflector: Reflector,
    private readonly rules: RulesInForce,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {
    this.dropped = metrics.counter({
      name: 'laurel_visits_dropped_total',
      help: 'Page visits that were not recorded: they are best effort.',
    });
    this.unread = metrics.counter({
      name: 'laurel_visits_unread_total',
      help: 'Requests of signed-in users for pages that nobody read.',
      labelNames: ['reason'],
    });
    this.seen = seenBy.get(settings) ?? new WeakMap();
    seenBy.set(settings, this.seen);
    if (!this.canScore) this.logger.warn(`No rule names the action "${visitAction}": visits earn nothing.`);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    let hear: ((answer: unknown) => void) | null = null;
    if (this.canScore && context.getType() === 'http') {
      try {
        hear = this.watch(context);
      } catch (error) {
        this.drop(error);
      }
    }
    return hear ? next.handle().pipe(tap(hear)) : next.handle();
  }

  /**
   * Records the visit of a request at once, for a page that shows its reader the points. Call it when the handler has
   * its answer; the interceptor then records nothing. One round trip; never rejects.
   * @returns null if nothing was recorded: nobody is signed in, the route has no `@ScoreVisit()`, or Redis is away.
   */
  async visit(context: ExecutionContext, answer: unknown): Promise<Outcome | null> {
    try {
      const page = this.canScore ? this.pageOf(context) : null;
      const userId = page && this.readerOf(page);
      if (!page || userId === null || this.seen.get(page.request) === 'recorded') return null;
      this.seen.set(page.request, 'recorded');
      return await this.record(userId, page, answer);
    } catch (error) {
      this.drop(error);
      return null;
    }
  }

  private get canScore(): boolean {
    return this.rules.book.find(visitAction) !== undefined;
  }

  /**
   * Records a visit when it has been answered. Gives what is to be told the answer, where the visit says more by it.
   */
  private watch(context: ExecutionContext): ((answer: unknown) => void) | null {
    const page = this.pageOf(context);
    if (!page || this.seen.has(page.request)) return null;
    this.seen.set(page.request, 'watched');
    const userId = this.readerOf(page);
    if (userId === null) return null;
    let answer: unknown;
    let handled: number | undefined;
    const { response } = page;
    const raw = response.raw ?? (response as unknown as RawResponse);
    raw.once('finish', () => {
      // Express answers what its reader has already with a 304: the page was read, whatever its handler said of it is
      // meant.
      const status = raw.statusCode === 304 ? handled : raw.statusCode;
      const isSuccess = status !== undefined && status >= 200 && status < 300;
      if (!isSuccess || this.seen.get(page.request) === 'recorded') return;
      this.record(userId, page, answer).catch((error: unknown) => this.drop(error));
    });
    return (given) => {
      answer = given;
      handled = response.statusCode;
    };
  }

  /** The page that a request is for, where its visits score. */
  private pageOf(context: ExecutionContext): ScoringPage | null {
    const targets = [context.getHandler(), context.getClass()];
    const options = this.reflector.getAllAndOverride<VisitOptions | null | undefined>(SCORES_VISITS, targets);
    if (!options) return null;
    const http = context.switchToHttp();
    const request = http.getRequest<RoutedRequest>();
    return request.method === 'GET' ? { request, response: http.getResponse<PageResponse>(), options } : null;
  }

  /** The signed-in user who reads the page; null: there is none. */
  private readerOf({ request }: ScoringPage): string | null {
    const userId = this.settings.currentUser(request);
    const reason = userId === null ? null : whyUnread(request, this.settings.isBot ?? isBot);
    return reason === null ? userId : this.leave(reason);
  }

  private leave(reason: UnreadReason): null {
    this.unread.inc({ reason });
    return null;
  }

  private async record(userId: string, page: ScoringPage, answer: unknown): Promise<Outcome | null> {
    const { request, response, options } = page;
    const isHtml = /^(text\/html|application\/xhtml)/i.test(String(response.getHeader('content-type')));
    if (!options.isReadByScripts && isFetchedByScript(request) && isHtml) return this.leave('background');
    const subject = options.subject ? options.subject(answer, request) : subjectOf(request);
    if (subject === null) return null;
    if (identifierFault(subject, maxSubjectBytes) === null) {
      const ownerId = options.ownerId?.(answer, request) ?? null;
      const partitions = options.partitions?.(answer, request) ?? null;
      return this.activities.record({ userId, action: visitAction, subject, ownerId, partitions });
    }
    // An address too long for a subject is no page of an app's own making.
    this.dropped.inc();
    return null;
  }

  private drop(error: unknown): void {
    this.dropped.inc();
    const code = error instanceof ActivityError ? error.code : undefined;
    // Away or behind: the metric tells it, a line for each visit would drown the rest.
    if (code === 'unavailable' || code === 'overloaded') return;
    this.logger.error(`A visit was not recorded: ${code ?? 'internal'}`, errorTrace(error));
  }
}

function subjectOf(request: RoutedRequest): string {
  const route = request.routeOptions?.url ?? request.route?.path;
  return pagePath(request.originalUrl ?? request.url, typeof route === 'string' ? route : undefined);
}
