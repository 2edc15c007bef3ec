import { answerOf, api } from '../http/api';
import { queryOf } from '../http/query';
import type { ClickOutcome } from '../points/outcomes';

/** The users that the signed-in user follows. */
export const followedQuery = () => queryOf('/follows');

/** Follows somebody, or no longer. */
export async function follow(id: string, isOn: boolean): Promise<ClickOutcome> {
  const path = '/users/{id}/follow';
  const told = { params: { path: { id }, query: { outcome: true } } };
  return (await answerOf(isOn ? api.PUT(path, told) : api.DELETE(path, told)))?.outcome ?? null;
}
