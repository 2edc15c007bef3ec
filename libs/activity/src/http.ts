/**
 * The pieces of the module's own routes, for an app's routes: one way to check requests, to refuse them
 * and to describe both.
 * @module @laurel/activity/http
 */
export { outcomeNames } from './shared/outcome-names';
export { addressOf } from './shared/address';
export { admitted, ApiKey, type ApiKeyCheck, ApiKeyGuard } from './core/http/api-key';
export { OperationInterceptor } from './shared/operator-routes';
export { problemFastifyOptions } from './core/http/fastify-options';
export { invalidInput, OneOf, ProblemValidationPipe, Text, WholeNumber } from './core/http/validation';
export { ProblemFault } from './core/errors/errors';
export { ApiProblems, ProblemDocument } from './core/http/problem.responses';
export { type Exchange, tagged, type TaggedScope } from './core/http/tagged-answers';
export { VisibleBoards } from './core/http/visible-boards';
export { type ClosableResponse, type RequestSocket, whenOver } from './core/http/when-over';
export { ActivityRefusal } from './core/activity/outcome';
