// Generated from types and comments by `npm run generate`. Do not edit.
import { WonBadge } from './rewards.answers';
import { WonTitle } from './rewards.answers';
import { RankTitle } from '../core/ranks/rank.responses';
import { UserRewards } from './rewards.answers';

Object.assign(WonBadge, {
  _OPENAPI_METADATA_FACTORY: () => ({
    id: { type: String, required: true, description: "For translations.", example: "most-praised"},
    name: { type: String, required: true, example: "Most praised"},
    of: { type: String, required: true, description: "`points`, `streak` or a tally.", example: "given:comment"},
    leaderboard: { type: String, required: true, example: "all"},
    atLeast: { type: Number, required: true, description: "The points needed then.", example: 100},
    value: { type: Number, required: true, description: "The number when it was judged.", example: 103},
    wonAt: { type: String, required: true, format: "date-time", description: "When it was judged."},
  }),
});

Object.assign(WonTitle, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "month"},
    period: { type: String, required: true, example: "2026-10"},
    title: { type: RankTitle, required: true},
  }),
});

Object.assign(UserRewards, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    level: { type: Number, required: true, nullable: true, description: "Follows the points; 0: none is reached. Null: there are none.", example: 3},
    points: { type: Number, required: true, nullable: true, description: "The points that decide the level.", example: 640},
    nextLevel: { type: Number, required: true, nullable: true, description: "From how many points on the next level is reached.", example: 1000},
    badges: { type: WonBadge, required: true, isArray: true, description: "The earliest first."},
    streak: { type: Number, required: true, nullable: true, description: "Days in a row with points, up to today or yesterday. Null: no leaderboard of days has all actions.", example: 5},
    nextStreak: { type: Number, required: true, nullable: true, description: "The days that the next badge for a streak needs.", example: 7},
    titles: { type: WonTitle, required: false, isArray: true, description: "With `titles=true`, by leaderboard, the latest first."},
  }),
});
