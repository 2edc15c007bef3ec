import {
  applyDecorators,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { userIn } from '../core/activity/activity';
import { Extensions } from '../core/extensions/extensions';
import type { Operation } from '../core/extensions/operation';
import { ApiKey, ApiKeyGuard, needOf } from '../core/http/api-key';
import { Routes } from '../core/http/mounting';
import { ApiProblems } from '../core/http/problem.responses';
import type { HttpRequest } from '../core/http/request';
import { ApiBearerAuth, ApiTags } from '../core/peers/decorators';

/** A controller of the module at its path, behind a guard: what operators do by its routes is recorded. */
export function GuardedRoutes(path: string, guard: Type<CanActivate>): ClassDecorator {
  return Routes(path, UseGuards(guard), UseInterceptors(OperationInterceptor));
}

/** As {@link GuardedRoutes}, for services and operators with the API key. */
export function OperatorRoutes(path: string, tag: 'activity' | 'administration'): ClassDecorator {
  const problems = ApiProblems(400, 401, 403, 503);
  return applyDecorators(ApiTags(tag), ApiBearerAuth(), problems, GuardedRoutes(path, ApiKeyGuard));
}

type Fields = Readonly<Record<string, unknown>>;
type OperatorRequest = HttpRequest & { readonly params?: Fields; readonly body?: Fields };

/**
 * Records what operators did, before the request is answered: an operator without an answer repeats it, and it is
 * recorded then. Refused requests are not recorded.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly apiKey: ApiKey,
    private readonly extensions: Extensions,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<Fields>): Observable<unknown> {
    const request = context.switchToHttp().getRequest<OperatorRequest>();
    const key = this.apiKey.nameOf(request);
    const handler = context.getHandler();
    const { operations } = this.extensions;
    if (!operations || key === null || needOf(handler, request) !== 'operate') return next.handle();
    const parts = [context.getClass(), handler].map((of) => String(Reflect.getMetadata('path', of)));
    const did = `${request.method} /${parts.join('/').replaceAll(/^\/|\/+$/g, '')}`;
    return next.handle().pipe(
      concatMap(async (answer) => {
        if (answer.dryRun !== true) await operations.add({ key, did, ...toldBy(request, answer) });
        return answer;
      }),
    );
  }
}

/** Operator, user and reason, as far as a request and its answer name them. */
function toldBy({ params = {}, body }: OperatorRequest, answer: Fields): Omit<Operation, 'at' | 'key' | 'did'> {
  const { by, reason, note, subject, id, userId, name, into } = body ?? {};
  const first = (...found: readonly unknown[]) => found.find((one) => typeof one === 'string') ?? null;
  // The receipt stands for a user whose traces are erased.
  const isErasure = 'erased' in answer;
  const named = typeof subject === 'string' && userIn(subject) === null ? subject : null;
  return {
    by: first(by),
    userId: isErasure ? first(into) : first(params.userId, userId, answer.userId),
    about: first(params.id, params.name, named, id, name, answer.id),
    why: [reason, note].filter((one) => typeof one === 'string').join(': ') || null,
  };
}
