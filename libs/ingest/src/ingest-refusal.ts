import { ActivityError, type ActivityErrorCode, type Fault } from '@laurel/activity';
import { RpcException } from '@nestjs/microservices';

/** The error that the sender of a message gets if it was not recorded. */
export interface IngestRefusal {
  readonly code: ActivityErrorCode | 'failed';
  readonly message: string;
  /** Of a malformed message: each fault by its path. */
  readonly errors: readonly Fault[];
  /** Whether to send the same message again later. */
  readonly isRetryable: boolean;
}

const retryable: ReadonlySet<string> = new Set<ActivityErrorCode>(['unavailable', 'unrecordable', 'overloaded']);

/** The exception for it in a handler: each transport returns it as an error. */
export function refusalOf(error: unknown): RpcException {
  if (!(error instanceof ActivityError)) return new RpcException(failed);
  const { code, message, faults } = error;
  const refusal: IngestRefusal = { code, message, errors: faults, isRetryable: retryable.has(code) };
  return new RpcException({ ...refusal });
}

/** The public text of any other error: nothing of its inside leaves the process. */
const failed: IngestRefusal = {
  code: 'failed',
  message: 'The message could not be recorded now: send it again later.',
  errors: [],
  isRetryable: true,
};

/** The refusal in what a handler failed with. */
export function readRefusal(error: unknown): IngestRefusal {
  const inside: unknown = error instanceof RpcException ? error.getError() : error;
  const isRefusal = typeof inside === 'object' && inside !== null && 'code' in inside && 'isRetryable' in inside;
  return isRefusal ? (inside as IngestRefusal) : failed;
}
