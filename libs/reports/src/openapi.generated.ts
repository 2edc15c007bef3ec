// Generated from types and comments by `npm run generate`. Do not edit.
import { ReportedRings } from './reported-rings';
import { Ring } from './rings/ring';
import { RevaluationReport } from './revaluation';
import { SimulatedStanding } from './simulation';
import { Simulation } from './simulation';

Object.assign(ReportedRings, {
  _OPENAPI_METADATA_FACTORY: () => ({
    period: { type: String, required: true, example: "2026-11"},
    action: { type: String, required: true, example: "praise"},
    min: { type: Number, required: true, example: 5},
    from: { type: String, required: true, description: "The first day whose ledgers were read: those of the period's first days may be gone.", example: "2026-11-01"},
    to: { type: String, required: true, description: "The last day whose ledgers were read.", example: "2026-11-20"},
    since: { type: String, required: true, format: "date-time", description: "When the first day began."},
    users: { type: Number, required: true, description: "Users on the standings of the period, excluded ones too.", example: 1234},
    edges: { type: Number, required: true, description: "Pairs of users of whom one gives the other at least as often as `min` says.", example: 321},
    rings: { type: Ring, required: true, isArray: true, description: "The tightest first."},
    total: { type: Number, required: true, description: "How many rings there are, in the answer or not.", example: 3},
    isPartial: { type: Boolean, required: true, description: "True if there were more paths than were tried, or more pairs than are remembered: the loosest were left out."},
    excluded: { type: String, required: true, isArray: true, description: "Users of the rings who are already excluded, by an operator or for a review."},
  }),
});

Object.assign(RevaluationReport, {
  _OPENAPI_METADATA_FACTORY: () => ({
    users: { type: Number, required: true, description: "Users with ledgers of these days.", example: 1234},
    changed: { type: Number, required: true, description: "Of them, those of whom some grant asks for something else now.", example: 321},
    points: { type: Number, required: true, description: "By how much the users' own points changed together, by the module's own ledger.", example: 987},
  }),
});

Object.assign(SimulatedStanding, {
  _OPENAPI_METADATA_FACTORY: () => ({
    userId: { type: String, required: true, example: "42"},
    points: { type: Number, required: true, description: "Under the simulated rules.", example: 60},
    reachedAtMs: { type: Number, required: true, description: "When the real score was reached, or now where there is none, in milliseconds: of equal points, the earlier is first."},
    rankNow: { type: Number, required: true, nullable: true, minimum: 1, description: "Null: not on it.", example: 3},
    pointsNow: { type: Number, required: true, example: 37},
  }),
});

Object.assign(Simulation, {
  _OPENAPI_METADATA_FACTORY: () => ({
    leaderboard: { type: String, required: true, example: "month"},
    period: { type: String, required: true, example: "2026-11"},
    users: { type: Number, required: true, description: "The users on it, now or by the other rules.", example: 1234},
    pointsNow: { type: Number, required: true, example: 9876},
    pointsThen: { type: Number, required: true, example: 12345},
    top: { type: SimulatedStanding, required: true, isArray: true, description: "The best, in order, without users that would have no points."},
    worthless: { type: String, required: true, isArray: true, description: "Recorded actions for which the rules give nothing."},
    uneven: { type: Number, required: true, description: "Users whose ledgers do not add up to their points, because of activities or revokes that came too late."},
  }),
});

Object.assign(Ring, {
  _OPENAPI_METADATA_FACTORY: () => ({
    users: { type: String, required: true, isArray: true, example: ["42","43","44"]},
    counts: { type: Number, required: true, isArray: true, description: "How often each gives to the next.", example: [9,7,8]},
    least: { type: Number, required: true, description: "The smallest of the counts: how tight the ring is.", example: 7},
  }),
});
