// Generated from types and comments by `npm run generate`. Do not edit.
import { HistoryAdjustment } from './activity/history';
import { HistoryDay } from './activity/history';
import { ActivityHistory } from './activity/history';
import { ActivityRefusal } from './activity/outcome';
import { OwnerResult } from './activity/outcome';
import { ActivityResult } from './activity/outcome';
import { ActivityResults } from './activity/outcome';
import { ProblemFault } from './errors/errors';
import { Operation } from './extensions/operation';
import { ProblemDocument } from './http/problem.responses';
import { LookupBody } from './ranks/rank.dto';
import { RankTitle } from './ranks/rank.responses';
import { RankUser } from './ranks/rank.responses';
import { RankPeriod } from './ranks/rank.responses';
import { UnrankedEntry } from './ranks/rank.responses';
import { RankEntry } from './ranks/rank.responses';
import { OptionalRankEntry } from './ranks/rank.responses';
import { LeaderboardAnswer } from './ranks/rank.responses';
import { RankAnswer } from './ranks/rank.responses';
import { RankPage } from './ranks/rank.responses';
import { RankAmong } from './ranks/rank.responses';
import { RankLookup } from './ranks/rank.responses';
import { RankAhead } from './ranks/rank.responses';
import { RankTopTen } from './ranks/rank.responses';
import { OwnStanding } from './ranks/rank.responses';
import { RankStanding } from './ranks/rank.responses';
import { UserStandings } from './ranks/rank.responses';
import { RankPartition } from './ranks/rank.responses';
import { RankPartitions } from './ranks/rank.responses';
import { RankLeaderboard } from './ranks/rank.responses';
import { RankLeaderboards } from './ranks/rank.responses';

Object.assign(HistoryAdjustment, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, example: "ticket-4711"},
    points: { type: Number, required: true, example: -50},
    reason: { type: String, required: true, example: "Points for spam"},
    at: { type: Date, required: true},
  }),
});

Object.assign(HistoryDay, {
  _OPENAPI_METADATA_FACTORY: () => ({
    date: { type: String, required: true, format: "date", example: "2026-11-20"},
    points: { type: Number, required: true, description: "What stands of the day: as on the leaderboard of days that takes all actions, where there is one, with the adjustments of other leaderboards alone.", example: 5},
    actions: { required: true, type: "object", additionalProperties: { type: "integer"}, description: "How many standing activities of each action.", example: { view: 3, praise: 1}},
    versions: { required: false, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, description: "With `versions=true`: the points by the version of the rules that they were granted by.", example: { 1: 3, 2: 2}},
    received: { required: false, type: "object", additionalProperties: { type: "integer"}, description: "How many standing activities of each action others did to subjects of this user; left out if there are none.", example: { praise: 2, follow: 1}},
    adjustments: { type: HistoryAdjustment, required: false, isArray: true, description: "Left out if there are none."},
  }),
});

Object.assign(ActivityHistory, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    days: { type: HistoryDay, required: true, isArray: true, description: "In order; days without activities are left out."},
  }),
});

Object.assign(ActivityRefusal, {
  _OPENAPI_METADATA_FACTORY: () => ({
    limit: { type: String, required: true, description: "The limit's name; `held`: points wait for a review.", example: "praise-sliding"},
    allowedAgainAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the same is allowed again; null: at no moment that is known."},
  }),
});

Object.assign(OwnerResult, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "9"},
    outcome: { type: String, required: true, enum: ["granted","revoked","duplicate","limited","notGranted","closed","rejected","ignored"]},
    points: { type: Number, required: true, description: "The change of the owner's points.", example: 1},
    scores: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, example: { day: 8, month: 60}},
  }),
});

Object.assign(ActivityResult, {
  _OPENAPI_METADATA_FACTORY: () => ({
    outcome: { type: String, required: true, enum: ["granted","revoked","duplicate","limited","notGranted","closed","rejected","ignored"]},
    points: { type: Number, required: true, description: "The change of the user's points: positive, negative or 0.", example: 2},
    scores: { required: true, type: "object", additionalProperties: { type: "number", multipleOf: 0.01}, description: "The user's score on each leaderboard it counts on; empty if it was ignored. A part of a partitioned leaderboard is named `name/part`, here and in `boards`.", example: { day: 5, month: 17}},
    boards: { required: true, type: "object", additionalProperties: { type: "string", enum: ["counted","unchanged","full","refused","closed","notStarted","ended","noPartition"]}, description: "Its effect on each leaderboard that takes its action; `full`: beyond its `maxPoints`. Empty if it was ignored.", example: { day: "closed", month: "counted"}},
    late: { type: String, required: false, isArray: true, description: "The leaderboards on which it counted although their period had ended.", example: ["day"]},
    reason: { type: String, required: false, description: "Why, where the outcome alone does not say: a limit's name, `held`, `future`, `scoreOutOfRange`, `erased`, `where`, `ownSubject`, `notRevocable`; also if only a leaderboard with its own ledger refused it.", example: "ownSubject"},
    excluded: { type: Boolean, required: false, description: "True if the user is excluded: the points are theirs, and show on no leaderboard until the exclusion ends. Left out if the outcome is `ignored` or follows from the activity's time alone."},
    refusal: { type: ActivityRefusal, required: false, description: "Which limit refused it, on all leaderboards or on those that `boards` calls refused, and until when."},
    owner: { type: OwnerResult, required: false, description: "The outcome of the owner's points, if the rule gives any."},
  }),
});

Object.assign(ActivityResults, {
  _OPENAPI_METADATA_FACTORY: () => ({
    results: { type: ActivityResult, required: true, isArray: true},
  }),
});

Object.assign(ProblemFault, {
  _OPENAPI_METADATA_FACTORY: () => ({
    path: { type: String, required: true, example: "events.3.subject"},
    message: { type: String, required: true, example: "must not be empty: use 1 to 512 bytes"},
  }),
});

Object.assign(Operation, {
  _OPENAPI_METADATA_FACTORY: () => ({
    at: { type: String, required: true, format: "date-time"},
    key: { type: String, required: true, description: "The name of the key; `api-key` where it has none.", example: "moderators"},
    by: { type: String, required: true, nullable: true, description: "Which operator, where the body says so.", example: "ada"},
    did: { type: String, required: true, description: "The route, without values.", example: "PUT /activity/exclusions/:userId"},
    userId: { type: String, required: true, nullable: true, description: "To whom; null: to nobody by name, as an erasure.", example: "42"},
    about: { type: String, required: true, nullable: true, description: "The id of a review, an adjustment or a receipt, or a subject.", example: "a1"},
    why: { type: String, required: true, nullable: true, description: "Why, as the body says.", example: "three accounts"},
  }),
});

Object.assign(ProblemDocument, {
  _OPENAPI_METADATA_FACTORY: () => ({
    type: { type: String, required: true, description: "`urn:laurel:problem:<code>`, or `about:blank` where the status says it all.", example: "urn:laurel:problem:unknownLeaderboard"},
    title: { type: String, required: true, description: "The status in words.", example: "Not Found"},
    status: { type: Number, required: true, example: 404},
    detail: { type: String, required: true, description: "The fault of this request, and what to do.", example: "No leaderboard has this name: use one of day, month."},
    errors: { type: ProblemFault, required: false, isArray: true, description: "Of malformed input: each fault by its path."},
  }),
});

Object.assign(LookupBody, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userIds: { type: String, required: true, isArray: true, minItems: 1, maxItems: 200, example: ["42","7"]},
  }),
});

Object.assign(RankTitle, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, description: "For translations.", example: "most-praised"},
    name: { type: String, required: true, example: "Most praised"},
  }),
});

Object.assign(RankUser, {
  _OPENAPI_METADATA_FACTORY: () => ({
    name: { type: String, required: true, example: "Ada"},
    avatarUrl: { type: String, required: true, nullable: true, example: "https://example.org/ada.png"},
    text: { type: String, required: false, nullable: true, description: "A line by the user about themselves, if the app's profiles have it.", example: "Writes about sorted sets."},
    data: { required: false, type: "object", additionalProperties: true, description: "Further fields of the app's profiles: those that its option `profileFields` names.", example: { country: "GB"}},
  }),
});

Object.assign(RankPeriod, {
  _OPENAPI_METADATA_FACTORY: () => ({
    key: { type: String, required: true, example: "2026-11-20"},
    start: { type: String, required: true, format: "date-time", example: "2026-11-20T00:00:00.000Z"},
    end: { type: String, required: true, nullable: true, format: "date-time", example: "2026-11-21T00:00:00.000Z"},
    state: { type: String, required: true, enum: ["notStarted","open","closing","settled"], description: "`notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final."},
  }),
});

Object.assign(UnrankedEntry, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    score: { type: Number, required: true, example: 37},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
    change: { type: Number, required: true, nullable: true, description: "Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.", example: 2},
    user: { type: RankUser, required: true, nullable: true, description: "Null where no profile is known."},
    title: { type: RankTitle, required: false, nullable: true, description: "The user's title; null without one. In the answer of one user, and wherever titles are asked for."},
  }),
});

Object.assign(RankEntry, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    score: { type: Number, required: true, example: 37},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
    change: { type: Number, required: true, nullable: true, description: "Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.", example: 2},
    user: { type: RankUser, required: true, nullable: true, description: "Null where no profile is known."},
    title: { type: RankTitle, required: false, nullable: true, description: "The user's title; null without one. In the answer of one user, and wherever titles are asked for."},
    rank: { type: Number, required: true, minimum: 1, example: 1},
  }),
});

Object.assign(OptionalRankEntry, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    score: { type: Number, required: true, example: 37},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
    change: { type: Number, required: true, nullable: true, description: "Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.", example: 2},
    user: { type: RankUser, required: true, nullable: true, description: "Null where no profile is known."},
    title: { type: RankTitle, required: false, nullable: true, description: "The user's title; null without one. In the answer of one user, and wherever titles are asked for."},
    rank: { type: Number, required: true, nullable: true, minimum: 1, example: 1},
  }),
});

Object.assign(LeaderboardAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
  }),
});

Object.assign(RankAnswer, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
  }),
});

Object.assign(RankPage, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
    entries: { type: RankEntry, required: true, isArray: true},
    next: { type: String, required: true, nullable: true, description: "The cursor of the next page; null on the last."},
    me: { type: OptionalRankEntry, required: false, nullable: true, description: "With `me=true`: the line of the user who asks, wherever they stand; null where nobody is signed in."},
  }),
});

Object.assign(RankAmong, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    score: { type: Number, required: true, example: 37},
    reachedAt: { type: String, required: true, nullable: true, format: "date-time", description: "When the score was reached."},
    change: { type: Number, required: true, nullable: true, description: "Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.", example: 2},
    user: { type: RankUser, required: true, nullable: true, description: "Null where no profile is known."},
    title: { type: RankTitle, required: false, nullable: true, description: "The user's title; null without one. In the answer of one user, and wherever titles are asked for."},
    rank: { type: Number, required: true, nullable: true, minimum: 1, example: 1},
    among: { type: Number, required: false, nullable: true, minimum: 1, description: "With `among=true`: the rank among the users asked for; null for who is not on the leaderboard.", example: 1},
  }),
});

Object.assign(RankLookup, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
    entries: { type: RankAmong, required: true, isArray: true},
  }),
});

Object.assign(RankAhead, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "7"},
    score: { type: Number, required: true, example: 41},
    gap: { type: Number, required: true, description: "Points that are missing to draw level.", example: 4},
  }),
});

Object.assign(RankTopTen, {
  _OPENAPI_METADATA_FACTORY: () => ({
    score: { type: Number, required: true, description: "The tenth's points.", example: 60},
    gap: { type: Number, required: true, description: "Points that are missing to draw level with the tenth.", example: 23},
  }),
});

Object.assign(OwnStanding, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
    entry: { type: OptionalRankEntry, required: true},
    excluded: { type: Boolean, required: false, description: "True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is theirs."},
    optedOut: { type: Boolean, required: false, description: "True beside `excluded` if the user has opted out; others may exclude them too."},
    tied: { type: Boolean, required: true, description: "Whether others have the same rank; by ordinal rank nobody has."},
    percentile: { type: Number, required: true, nullable: true, minimum: 0, maximum: 100, description: "100: nobody is ahead."},
  }),
});

Object.assign(RankStanding, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "day"},
    partition: { type: String, required: false, description: "Of a partitioned leaderboard: which partition.", example: "java"},
    period: { type: RankPeriod, required: true},
    total: { type: Number, required: true, description: "How many users are on it.", example: 1234},
    entry: { type: OptionalRankEntry, required: true},
    excluded: { type: Boolean, required: false, description: "True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is theirs."},
    optedOut: { type: Boolean, required: false, description: "True beside `excluded` if the user has opted out; others may exclude them too."},
    tied: { type: Boolean, required: true, description: "Whether others have the same rank; by ordinal rank nobody has."},
    percentile: { type: Number, required: true, nullable: true, minimum: 0, maximum: 100, description: "100: nobody is ahead."},
    ahead: { type: RankAhead, required: true, nullable: true, description: "Who has the next better rank: by ordinal rank who stands directly ahead, with a gap of 0 where both have the same points; by the others the nearest with other points. Null for who has the best."},
    top10: { type: RankTopTen, required: true, nullable: true, description: "Null for the first ten themselves, ties with the tenth included, and where fewer than ten are on it."},
  }),
});

Object.assign(UserStandings, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    standings: { type: RankStanding, required: true, isArray: true, description: "In the order of `GET /ranks`; without an entry, `rank` is null."},
  }),
});

Object.assign(RankPartition, {
  _OPENAPI_METADATA_FACTORY: () => ({
    name: { type: String, required: true, example: "java"},
    total: { type: Number, required: true, description: "How many users are on it.", example: 12},
  }),
});

Object.assign(RankPartitions, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "category"},
    key: { type: String, required: true, description: "The kind of its partitions.", example: "category"},
    period: { type: RankPeriod, required: true},
    partitions: { type: RankPartition, required: true, isArray: true},
    next: { type: String, required: true, nullable: true, description: "The cursor of the next page; null on the last."},
  }),
});

Object.assign(RankLeaderboard, {
  _OPENAPI_METADATA_FACTORY: () => ({
    name: { type: String, required: true, example: "day"},
    kind: { type: String, required: true, enum: ["hour","day","week","month","quarter","year","all","contest","season","rolling"]},
    timezone: { type: String, required: true, description: "The zone in which its periods are cut.", example: "Europe/London"},
    partition: { type: String, required: false, description: "The kind of its partitions: `?partition=` names one of them.", example: "category"},
    actions: { type: String, required: true, isArray: true, description: "The actions that count.", example: ["view","praise"]},
    current: { type: RankPeriod, required: true, description: "The period that runs."},
  }),
});

Object.assign(RankLeaderboards, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboards: { type: RankLeaderboard, required: true, isArray: true},
  }),
});
