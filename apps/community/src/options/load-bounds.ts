/** The load from which on requests are refused. */
export interface LoadBounds {
  /** Requests at once. */
  readonly maxRequests: number;
  /** How late the event loop may run, on average. */
  readonly maxLateMs: number;
}
