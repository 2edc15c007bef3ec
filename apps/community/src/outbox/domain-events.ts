import {
  type ActivityChange,
  CollectCancelledEvent,
  CollectEvent,
  CommentCancelledEvent,
  CommentEvent,
  FollowCancelledEvent,
  FollowEvent,
  PraiseCancelledEvent,
  PraiseEvent,
  PublishCancelledEvent,
  PublishEvent,
} from '@laurel/activity';

const classes = [
  ...[CollectEvent, CommentEvent, FollowEvent, PraiseEvent, PublishEvent],
  ...[CollectCancelledEvent, CommentCancelledEvent, FollowCancelledEvent, PraiseCancelledEvent, PublishCancelledEvent],
];

/** The community's domain events. */
export type DomainEvent = InstanceType<(typeof classes)[number]>;

/** A {@link DomainEvent} as a row of the outbox has it: the activity that it is, which `laurel replay` reads too. */
export function rowOf(event: DomainEvent): ActivityChange {
  const { eventName } = event.constructor as (typeof classes)[number];
  const [, action = '', cancelled] = eventName.split('.');
  return { ...event, action, ...(cancelled !== undefined && { revoke: true }) };
}

/** An event out of the outbox, as it is emitted; undefined: the community has none of this action. */
export function eventOf({
  action,
  revoke,
  ...fields
}: ActivityChange): { name: string; event: DomainEvent } | undefined {
  const name = `activity.${action}${revoke === true ? '.cancelled' : ''}`;
  const Event = classes.find(({ eventName }) => eventName === name);
  return Event && { name, event: new Event(fields as DomainEvent) };
}
