/** A request that was carried out with an API key which may `operate`. */
export class Operation {
  /** @format date-time */
  readonly at: string;
  /** The name of the key; `api-key` where it has none. @example moderators */
  readonly key: string;
  /** Which operator, where the body says so. @example ada */
  readonly by: string | null;
  /** The route, without values. @example PUT /activity/exclusions/:userId */
  readonly did: string;
  /** To whom; null: to nobody by name, as an erasure. @example 42 */
  readonly userId: string | null;
  /** The id of a review, an adjustment or a receipt, or a subject. @example a1 */
  readonly about: string | null;
  /** Why, as the body says. @example three accounts */
  readonly why: string | null;
}

/** Lists and announces what operators did. */
export interface OperationLog {
  /** @throws ActivityError `unavailable` */
  add(operation: Omit<Operation, 'at'>): Promise<void>;
}
