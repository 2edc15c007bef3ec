/**
 * What the module's own routes are made of, for an app's routes beside them: one way to check requests, to refuse them
 * and to describe both.
 * @module @laurel/activity/http
 */
export { outcomeNames } from './activity/activity';
export { addressOf } from './beside/address';
export { ApiKey, type ApiKeyCheck } from './http/api-key';
export { admitted, ApiKeyGuard } from './http/api-key.guard';
export { OperationInterceptor } from './http/operation.interceptor';
export { problemFastifyOptions } from './http/fastify-options';
export { invalidInput, ProblemValidationPipe } from './http/problem-validation.pipe';
export { ApiProblems, ProblemDocument, ProblemFault } from './http/problem.responses';
export { OneOf, Text, WholeNumber } from './http/query-fields';
export { type Exchange, tagged, type TaggedScope } from './http/tagged-answers';
export { type ClosableResponse, type RequestSocket, whenOver } from './http/when-over';
export { ActivityRefusal } from './recording/activity.responses';
