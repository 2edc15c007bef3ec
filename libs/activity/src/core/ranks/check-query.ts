import { faultsError } from '../errors/errors';
import { identifierFault, maxUserIdBytes } from '../activity/activity';

/** @throws ActivityError `invalidQuery` */
export function checkUserId(userId: string, path = 'userId'): void {
  const message = identifierFault(userId, maxUserIdBytes);
  if (message !== null) throw faultsError('invalidQuery', [{ path, message }]);
}

/** @throws ActivityError `invalidQuery` */
export function checkWhole(path: string, value: number, [min, max]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw faultsError('invalidQuery', [{ path, message: `must be a whole number from ${min} to ${max}` }]);
}
