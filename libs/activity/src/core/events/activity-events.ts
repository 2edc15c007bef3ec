import { nextSequence, subjectOfUser } from '../activity/activity';

/** A domain event of the app's that the module turns into points; its class is the action. */
abstract class ActivityEvent {
  /** The user who did it and gets the points, whichever user sent the request. */
  readonly userId: string;
  /** Its subject, named by the app: `article:7`. A user is `user:42`. */
  readonly subject: string;
  /** The subject's owner. */
  readonly ownerId?: string;
  /** Counts once by this id, whatever its date. A cancellation names it too. */
  readonly id?: string;
  /** When. Default: when the module hears of it. Apps on several hosts give their database's time. */
  readonly occurredAt?: Date;
  /**
   * Orders activities of one millisecond. Default: the next of this process, when the event is made. Where several
   * instances emit, or `occurredAt` is of a database that keeps seconds, give a number of that database: a version, a
   * sequence.
   */
  readonly sequence: number;
  /** The partitions that the activity counts on: `{ category: 'java' }`. A cancellation needs none. */
  readonly partitions?: Readonly<Record<string, string>>;

  constructor(fields: ActivityEventFields) {
    this.userId = fields.userId;
    this.subject = fields.subject;
    if (fields.ownerId !== undefined) this.ownerId = fields.ownerId;
    if (fields.id !== undefined) this.id = fields.id;
    if (fields.occurredAt !== undefined) this.occurredAt = fields.occurredAt;
    if (fields.partitions !== undefined) this.partitions = fields.partitions;
    this.sequence = fields.sequence ?? nextSequence();
  }
}

/** The fields that an event is made of. */
export type ActivityEventFields = Omit<ActivityEvent, 'sequence'> & Partial<Pick<ActivityEvent, 'sequence'>>;

/** An {@link ActivityEvent} that takes one back. */
abstract class CancelledEvent extends ActivityEvent {
  /** When what is taken back was done: that day's points alone are. Default: whatever stands of it. */
  readonly grantedAt?: Date;

  constructor(fields: CancelledEventFields) {
    super(fields);
    if (fields.grantedAt !== undefined) this.grantedAt = fields.grantedAt;
  }
}

/** The fields that such an event is made of. */
export type CancelledEventFields = ActivityEventFields & Pick<CancelledEvent, 'grantedAt'>;

/** Fields of an event that may name the user followed instead of a subject. */
type FollowFields<Fields extends ActivityEventFields> =
  | Fields
  | (Omit<Fields, 'subject' | 'ownerId'> & {
      /** The user who is followed. */
      readonly followedId: string;
    });

/** A user read a page. The {@link VisitInterceptor} records visits by itself; this is for apps that count elsewhere. */
export class ViewEvent extends ActivityEvent {
  static readonly eventName = 'activity.view';
}
/** A user praised an article. */
export class PraiseEvent extends ActivityEvent {
  static readonly eventName = 'activity.praise';
}
/** A user put an article into their collection. */
export class CollectEvent extends ActivityEvent {
  static readonly eventName = 'activity.collect';
}
/** A user commented on an article: the subject is the article. */
export class CommentEvent extends ActivityEvent {
  static readonly eventName = 'activity.comment';
}
/** A user's article went online. */
export class PublishEvent extends ActivityEvent {
  static readonly eventName = 'activity.publish';
}
/** A user followed another. Without `followedId`, the `subject` says whom: `user:42`. */
export class FollowEvent extends ActivityEvent {
  static readonly eventName = 'activity.follow';

  constructor(fields: FollowFields<ActivityEventFields>) {
    super('followedId' in fields ? followOf(fields) : fields);
  }
}
/** Twin of {@link ViewEvent}; views are not revocable by default. */
export class ViewCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.view.cancelled';
}
/** A praise was taken back. */
export class PraiseCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.praise.cancelled';
}
/** An article left a user's collection. */
export class CollectCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.collect.cancelled';
}
/** A user's last comment of a day on an article was deleted: `grantedAt` is a moment of that day. */
export class CommentCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.comment.cancelled';
}
/** A user's article went offline. */
export class PublishCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.publish.cancelled';
}
/** A user no longer follows another. */
export class FollowCancelledEvent extends CancelledEvent {
  static readonly eventName = 'activity.follow.cancelled';

  constructor(fields: FollowFields<CancelledEventFields>) {
    super('followedId' in fields ? followOf(fields) : fields);
  }
}

/** The fields with the user followed as the subject. No id stays none, which recording refuses. */
function followOf<Fields extends { readonly followedId: string }>(
  fields: Fields,
): Fields & { readonly subject: string } {
  const { followedId } = fields;
  return { ...fields, subject: followedId && subjectOfUser(followedId) };
}
