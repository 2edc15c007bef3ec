// Generated from apps/community/openapi.json by `npm run generate`. Do not edit.
// sha256 of that and of what follows: 6840b8fd35f56bfb9363afe9fdfd3ebdbec4e5857d8ca7731d54eff0bc5e0a3c
export interface paths {
    readonly "/ranks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The leaderboards: what counts on each, and its current period. */
        readonly get: operations["RankController_list"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/users/{userId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One user's standing in the current period of each leaderboard without partitions. */
        readonly get: operations["RankController_everywhere"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A page of standings. */
        readonly get: operations["RankController_standings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/partitions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The partitions of a leaderboard that have entries, by name. */
        readonly get: operations["RankController_partitions"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/users/{userId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One user's entry, title and percentile, the user with the next better rank, and the points of the top ten. */
        readonly get: operations["RankController_standing"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/users/{userId}/around": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The user in the middle of their neighbours. */
        readonly get: operations["RankController_around"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/lookup": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The entries of up to 200 users, in the order asked or ranked among one another: a friends' board. */
        readonly post: operations["RankController_lookup"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Records 1 to 1,000 events: all of them, or none if one is malformed.
         * @description For services with the API key. Answers when the points are in Redis. Safe to repeat.
         */
        readonly post: operations["ActivityController_record"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/periods": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The periods that can be read, live and archived, the latest first. */
        readonly get: operations["PastController_periods"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/users/{userId}/points": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The user's points in each period of a time, the current one included. */
        readonly get: operations["PastController_points"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/users/{userId}/history": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Where the user stood in periods that have ended, the latest first. */
        readonly get: operations["PastController_history"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/settlement": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Of each leaderboard: the current period, those that wait, and the last that was settled. */
        readonly get: operations["SettlementStateController_state"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/ranks/{leaderboard}/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The first page of standings, and each change of it, as it happens.
         * @description Server-sent events of the current period. An `id` is the ETag, without its quotes, of the same first
         *     page at `GET /ranks/{leaderboard}`; a client that comes back with it as `Last-Event-ID` is sent that page only if it has
         *     changed.
         *
         *     - `standings`: the page (RankPage), at once and at each change of places or points, at most one a second;
         *     - `standing` (StandingEvent), to a signed-in user: their own rank, within a second and at each change of it;
         *     - `overtaken` (OvertakenEvent), to a signed-in user: others passed them, and their own points did not fall;
         *     - `away` (AwayEvent): Redis does not answer. The stream stays open; when it is back, `standings` is sent again;
         *     - `closing`: the service stops, come again after `retry`.
         *
         *     A comment is sent every 15 seconds. A signed-in user sends a token in `Authorization`, so they read the stream with
         *     `fetch`: an `EventSource` sends no headers, and a token does not belong in a URL.
         */
        readonly get: operations["RankStreamController_stream"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}/rewards": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * A user's level, badges, streak and titles.
         * @description Others see them where they see the `points` of past periods, and nothing of users who are excluded.
         */
        readonly get: operations["RewardsController_of"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What a user was granted, day by day. For this user and for the API key. */
        readonly get: operations["AccountController_history"];
        readonly put?: never;
        readonly post?: never;
        /**
         * Erases a user everywhere, and answers with the receipt.
         * @description Erasures run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: data that was removed before counts 0.
         */
        readonly delete: operations["ErasureController_erase"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}/data": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * All stored data about a user, as one JSON document. For this user and for the API key.
         * @description Streamed. Modules add lists: `exclusions`, of source `user` an opting out; `reviews`; `settled`, places and titles as archived, with everyone on them; `rewards`; `operations`; `deadLetters`. Only the API key sees which operator did it, and why.
         */
        readonly get: operations["AccountController_data"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}/quota": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What each limit leaves a user now. For this user and for the API key. */
        readonly get: operations["AccountController_quota"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}/ledger": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Why a user has the points of a day, line by line. For this user and for the API key.
         * @description A day whose ledger is no longer kept is answered 410.
         */
        readonly get: operations["AccountController_ledger"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/refusals": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * The latest refused activities, of all instances.
         * @description At most the last 1,000; each instance adds up to 200 a second. The metrics count all of them.
         */
        readonly get: operations["AccountController_refusals"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/operations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Who did what to whom, when and why, by an API key: the last 10,000, the latest first. */
        readonly get: operations["OperatorsController_operations"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/revaluations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Gives what was recorded since a day the points of the rules in force, on every open board.
         * @description As the command `revalue`. Each instance revalues once at a time, for 30 seconds at most: what is done by then stays, and the command does the rest.
         */
        readonly post: operations["RevaluationsController_revalue"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/rings": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Finds pairs, and rings of more users, who do an action to what is one another’s.
         * @description As the command `rings`, from the ledgers: about 50 users a round trip. Each instance computes one search at a time, for 30 seconds at most, among the 20,000 tightest pairs; longer ones are for the command.
         */
        readonly get: operations["RingsController_rings"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/simulations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Computes from the ledgers how a period would have stood under the rules of the body. Changes nothing.
         * @description As the command `simulate`: points are simulated, limits are not. Each instance computes one simulation at a time, for 30 seconds at most, about 50 users a round trip; longer ones are for the command.
         */
        readonly post: operations["SimulationsController_simulate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/rules": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The rules and limits in force, their version, and since when. */
        readonly get: operations["RulesController_read"];
        readonly put?: never;
        /**
         * Puts rules and limits in force, on every instance within three seconds.
         * @description The body is all of them: what it leaves out is off. A bad one changes nothing, and each fault has its path. Recording under way ends by the rules with which it began. While Redis is away nothing changes (503); where it did not answer in time, read the rules again. Safe to repeat. With `If-Match`, a change of others is not lost: 412 where other rules are in force than those that were read.
         */
        readonly post: operations["RulesController_put"];
        /** Withdraws the rules that were put in force: each instance goes back to its own options. */
        readonly delete: operations["RulesController_withdraw"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/leaderboards": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The leaderboards that began while the app runs, and what they were filled with. */
        readonly get: operations["LeaderboardsController_list"];
        readonly put?: never;
        /**
         * Begins a leaderboard or a contest, or changes one, on every instance within three seconds.
         * @description As one of the options, without `points`, `timezone` and `weeksFrom`; `partition` and `where` have keys that a leaderboard has already. Its open periods are filled from the ledgers, while recording goes on. Safe to repeat.
         */
        readonly post: operations["LeaderboardsController_begin"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/leaderboards/{name}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /**
         * Ends a leaderboard: it takes no more points, and its period is settled as any other.
         * @description One that was never written to is gone. Safe to repeat.
         */
        readonly delete: operations["LeaderboardsController_end"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/adjustments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The latest adjustments of points, up to 1,000 of them, the latest first. */
        readonly get: operations["AdjustmentController_latest"];
        readonly put?: never;
        /**
         * Adds points to a user or takes them, with a reason, once for each id.
         * @description A minus may lead below zero, shown as the `floor`. Answered when it is in Redis. Safe to repeat.
         */
        readonly post: operations["AdjustmentController_adjust"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/deletions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Takes back all that a subject earned, and answers with the receipt.
         * @description From all users who did something to it, and from its owner. Deletions run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id. Safe to repeat: points that were taken before count 0.
         */
        readonly post: operations["DeletionsController_delete"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/deletion-receipts/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The receipt of a deletion; of those that are done the last 1,000 are kept. */
        readonly get: operations["DeletionsController_find"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/erasure-receipts/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The receipt of an erasure; of those that are done the last 1,000 are kept. */
        readonly get: operations["ErasureController_find"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/readmissions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Accepts activities of an erased user again.
         * @description For a user who comes back under the same id. Until then activities of an erased user are refused, for as long as earlier ones may arrive. Erased data stays erased.
         */
        readonly post: operations["ErasureController_readmit"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/exclusions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The users that are excluded from the leaderboards, and why; in no order. */
        readonly get: operations["ExclusionsController_list"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/exclusions/{userId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether a user is excluded from the leaderboards, and why. */
        readonly get: operations["ExclusionsController_find"];
        /**
         * Excludes a user from every leaderboard, live and archived.
         * @description Other users move up. The points of the user continue to count. Safe to repeat.
         */
        readonly put: operations["ExclusionsController_exclude"];
        readonly post?: never;
        /**
         * Shows a user again, at the rank of their points.
         * @description While the directory, the review queue or the user has another exclusion, `excluded` stays true. Safe to repeat.
         */
        readonly delete: operations["ExclusionsController_include"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/merges": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Makes two accounts one, and answers with the receipt.
         * @description What was recorded of `from` is joined into `into`: nothing counts twice, limits judge all of it together, and open boards move by the difference. Then `from` is erased, and its activities are refused. Settled periods stay. Merges run one at a time, and continue on another instance after a crash. The answer comes when this one is done, or after two seconds: while its `state` is not `done`, ask for the receipt by its id.
         */
        readonly post: operations["MergesController_merge"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/merge-receipts/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The receipt of a merge; of those that are done the last 1,000 are kept. */
        readonly get: operations["MergesController_find"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/users/{userId}/opt-out": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether a user has opted out of the leaderboards. */
        readonly get: operations["OptOutController_find"];
        /**
         * Opts a user out of every leaderboard, at once.
         * @description Exclusions by operators are independent: neither ends the other. Safe to repeat.
         */
        readonly put: operations["OptOutController_optOut"];
        readonly post?: never;
        /**
         * Shows a user again who has opted out, unless somebody else excludes them.
         * @description Safe to repeat.
         */
        readonly delete: operations["OptOutController_optIn"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/reviews": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Reviews in one state: held ones the oldest first, decided ones the latest first. */
        readonly get: operations["ReviewsController_list"];
        readonly put?: never;
        /**
         * Holds a user's points back: they are counted, but not shown; or some of them wait.
         * @description With `action` or `activities` the user stays on the leaderboards without these points. For a user whose points are held already, the review under way is returned unchanged.
         */
        readonly post: operations["ReviewsController_hold"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/reviews/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One review. */
        readonly get: operations["ReviewsController_find"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/reviews/{id}/release": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Gives the points back, at once. Safe to repeat. */
        readonly post: operations["ReviewsController_release"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/activity/reviews/{id}/void": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Takes the points in question for good, and gives back the others. Safe to repeat.
         * @description Takes from owners what these activities gave them, unless `keepsGifts` is true. The answer comes after five seconds (`recordTimeoutMs`) at the latest: `voided` then has what will be taken, and the user, or what waits, is off the leaderboards until it is.
         */
        readonly post: operations["ReviewsController_void"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Articles that are online, the newest first; or your own drafts. */
        readonly get: operations["ArticlesController_list"];
        readonly put?: never;
        /** Writes a draft. */
        readonly post: operations["ArticlesController_draft"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** An article. A signed-in reader earns a view, once a day; its author earns nothing. */
        readonly get: operations["ArticlesController_page"];
        /** Rewrites your draft. */
        readonly put: operations["ArticlesController_rewrite"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles/{id}/comments": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What was said to an article, the newest first. */
        readonly get: operations["ArticlesController_comments"];
        readonly put?: never;
        /** Comments on an article. */
        readonly post: operations["CommentsController_create"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles/{id}/publish": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Puts your draft online, or hands it in where articles are reviewed. Again, it does nothing. */
        readonly post: operations["ArticlesController_publish"];
        /** Takes your article offline or out of review: it is a draft again, and its points go. */
        readonly delete: operations["ArticlesController_withdraw"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/submissions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Articles that wait to be reviewed, the oldest first. */
        readonly get: operations["SubmissionsController_list"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/submissions/{id}/approve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Puts the article online, and gives its author the points. */
        readonly post: operations["SubmissionsController_approve"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/submissions/{id}/refuse": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Keeps the article offline, and tells its author why. */
        readonly post: operations["SubmissionsController_refuse"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/register": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Registers a user and signs them in. */
        readonly post: operations["AuthController_register"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/login": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Signs a user in.
         * @description A refusal does not say which part was wrong.
         */
        readonly post: operations["AuthController_login"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/auth/logout": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Signs a user out: the token is worth nothing from now on. */
        readonly post: operations["AuthController_logout"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/comments/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Deletes your comment. */
        readonly delete: operations["CommentsController_delete"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/follows": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whom the signed-in user follows: the latest 1,000. */
        readonly get: operations["FollowedController_followed"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}/follow": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Follows a user. */
        readonly put: operations["FollowsController_follow"];
        readonly post?: never;
        /** No longer follows the user. */
        readonly delete: operations["FollowsController_unfollow"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/names": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** The titles of articles and the names of users, by subject. */
        readonly post: operations["NamesController_find"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/live": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether the process answers; restart it when not. */
        readonly get: operations["HealthController_live"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/health/ready": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Whether Redis and the database can be used, and the app is not about to stop. */
        readonly get: operations["HealthController_ready"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/metrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Metrics in the format of Prometheus; in production for the API key alone. */
        readonly get: operations["MetricsController_metrics"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/points": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** What each action is worth now, for each subject. */
        readonly get: operations["PointsController_list"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles/{id}/praise": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Praises an article. */
        readonly put: operations["ReactionsController_praise"];
        readonly post?: never;
        /** Takes the praise back. */
        readonly delete: operations["ReactionsController_unpraise"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/articles/{id}/collect": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Puts an article into your collection. */
        readonly put: operations["ReactionsController_collect"];
        readonly post?: never;
        /** Takes it out of your collection. */
        readonly delete: operations["ReactionsController_uncollect"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Users with this in their names, with their places on a leaderboard where one is named. */
        readonly get: operations["UsersController_search"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/users/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A user's page. A signed-in reader earns a view, once a day; on one's own page, nothing. */
        readonly get: operations["UsersController_page"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/profile/text": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Says something of yourself, in a line: shown with your name on leaderboards. */
        readonly put: operations["ProfileController_describe"];
        readonly post?: never;
        /** Takes that back. */
        readonly delete: operations["ProfileController_clear"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/avatars/{file}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** A user's picture, drawn from their id. */
        readonly get: operations["AvatarsController_avatar"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly ProblemFault: {
            /** @example events.3.subject */
            readonly path: string;
            /** @example must not be empty: use 1 to 512 bytes */
            readonly message: string;
        };
        readonly ProblemDocument: {
            /**
             * @description `urn:laurel:problem:<code>`, or `about:blank` where the status says it all.
             * @example urn:laurel:problem:unknownLeaderboard
             */
            readonly type: string;
            /**
             * @description The status in words.
             * @example Not Found
             */
            readonly title: string;
            /** @example 404 */
            readonly status: number;
            /**
             * @description The fault of this request, and what to do.
             * @example No leaderboard has this name: use one of day, month.
             */
            readonly detail: string;
            /** @description Of malformed input: each fault by its path. */
            readonly errors?: readonly components["schemas"]["ProblemFault"][];
        };
        readonly RankPeriod: {
            /** @example 2026-11-20 */
            readonly key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T00:00:00.000Z
             */
            readonly start: string;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly end: string | null;
            /**
             * @description `notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final.
             * @enum {string}
             */
            readonly state: "notStarted" | "open" | "closing" | "settled";
        };
        readonly RankLeaderboard: {
            /** @example day */
            readonly name: string;
            /** @enum {string} */
            readonly kind: "hour" | "day" | "week" | "month" | "quarter" | "year" | "all" | "contest" | "season" | "rolling";
            /**
             * @description The zone in which its periods are cut.
             * @example Europe/London
             */
            readonly timezone: string;
            /**
             * @description The kind of its partitions: `?partition=` names one of them.
             * @example category
             */
            readonly partition?: string;
            /**
             * @description The actions that count.
             * @example [
             *       "view",
             *       "praise"
             *     ]
             */
            readonly actions: readonly string[];
            /** @description The period that runs. */
            readonly current: components["schemas"]["RankPeriod"];
        };
        readonly RankLeaderboards: {
            readonly leaderboards: readonly components["schemas"]["RankLeaderboard"][];
        };
        readonly RankUser: {
            /** @example Ada */
            readonly name: string;
            /** @example https://example.org/ada.png */
            readonly avatarUrl: string | null;
            /**
             * @description A line by the user about themselves, if the app's profiles have it.
             * @example Writes about sorted sets.
             */
            readonly text?: string | null;
            /**
             * @description Further fields of the app's profiles: those that its option `profileFields` names.
             * @example {
             *       "country": "GB"
             *     }
             */
            readonly data?: {
                readonly [key: string]: unknown;
            };
        };
        readonly RankTitle: {
            /**
             * @description For translations.
             * @example most-praised
             */
            readonly id: string;
            /** @example Most praised */
            readonly name: string;
        };
        readonly OptionalRankEntry: {
            /** @example 42 */
            readonly userId: string;
            /** @example 37 */
            readonly score: number;
            /**
             * Format: date-time
             * @description When the score was reached.
             */
            readonly reachedAt: string | null;
            /**
             * @description Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.
             * @example 2
             */
            readonly change: number | null;
            /** @description Null where no profile is known. */
            readonly user: components["schemas"]["RankUser"] | null;
            /** @description The user's title; null without one. In the answer of one user, and wherever titles are asked for. */
            readonly title?: components["schemas"]["RankTitle"] | null;
            /** @example 1 */
            readonly rank: number | null;
        };
        readonly RankAhead: {
            /** @example 7 */
            readonly userId: string;
            /** @example 41 */
            readonly score: number;
            /**
             * @description Points that are missing to draw level.
             * @example 4
             */
            readonly gap: number;
        };
        readonly RankTopTen: {
            /**
             * @description The tenth's points.
             * @example 60
             */
            readonly score: number;
            /**
             * @description Points that are missing to draw level with the tenth.
             * @example 23
             */
            readonly gap: number;
        };
        readonly RankStanding: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            readonly period: components["schemas"]["RankPeriod"];
            /**
             * @description How many users are on it.
             * @example 1234
             */
            readonly total: number;
            readonly entry: components["schemas"]["OptionalRankEntry"];
            /** @description True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is theirs. */
            readonly excluded?: boolean;
            /** @description True beside `excluded` if the user has opted out; others may exclude them too. */
            readonly optedOut?: boolean;
            /** @description Whether others have the same rank; by ordinal rank nobody has. */
            readonly tied: boolean;
            /** @description 100: nobody is ahead. */
            readonly percentile: number | null;
            /** @description Who has the next better rank: by ordinal rank who stands directly ahead, with a gap of 0 where both have the same points; by the others the nearest with other points. Null for who has the best. */
            readonly ahead: components["schemas"]["RankAhead"] | null;
            /** @description Null for the first ten themselves, ties with the tenth included, and where fewer than ten are on it. */
            readonly top10: components["schemas"]["RankTopTen"] | null;
        };
        readonly UserStandings: {
            /** @example 42 */
            readonly userId: string;
            /** @description In the order of `GET /ranks`; without an entry, `rank` is null. */
            readonly standings: readonly components["schemas"]["RankStanding"][];
        };
        readonly RankEntry: {
            /** @example 42 */
            readonly userId: string;
            /** @example 37 */
            readonly score: number;
            /**
             * Format: date-time
             * @description When the score was reached.
             */
            readonly reachedAt: string | null;
            /**
             * @description Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.
             * @example 2
             */
            readonly change: number | null;
            /** @description Null where no profile is known. */
            readonly user: components["schemas"]["RankUser"] | null;
            /** @description The user's title; null without one. In the answer of one user, and wherever titles are asked for. */
            readonly title?: components["schemas"]["RankTitle"] | null;
            /** @example 1 */
            readonly rank: number;
        };
        readonly RankPage: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            readonly period: components["schemas"]["RankPeriod"];
            /**
             * @description How many users are on it.
             * @example 1234
             */
            readonly total: number;
            readonly entries: readonly components["schemas"]["RankEntry"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
            /** @description With `me=true`: the line of the user who asks, wherever they stand; null where nobody is signed in. */
            readonly me?: components["schemas"]["OptionalRankEntry"] | null;
        };
        readonly RankPartition: {
            /** @example java */
            readonly name: string;
            /**
             * @description How many users are on it.
             * @example 12
             */
            readonly total: number;
        };
        readonly RankPartitions: {
            /** @example category */
            readonly leaderboard: string;
            /**
             * @description The kind of its partitions.
             * @example category
             */
            readonly key: string;
            readonly period: components["schemas"]["RankPeriod"];
            readonly partitions: readonly components["schemas"]["RankPartition"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
        };
        readonly LookupBody: {
            /**
             * @example [
             *       "42",
             *       "7"
             *     ]
             */
            readonly userIds: readonly string[];
        };
        readonly RankAmong: {
            /** @example 42 */
            readonly userId: string;
            /** @example 37 */
            readonly score: number;
            /**
             * Format: date-time
             * @description When the score was reached.
             */
            readonly reachedAt: string | null;
            /**
             * @description Places won (positive) or lost since the period before, by the same ranking; null: it had no entry.
             * @example 2
             */
            readonly change: number | null;
            /** @description Null where no profile is known. */
            readonly user: components["schemas"]["RankUser"] | null;
            /** @description The user's title; null without one. In the answer of one user, and wherever titles are asked for. */
            readonly title?: components["schemas"]["RankTitle"] | null;
            /** @example 1 */
            readonly rank: number | null;
            /**
             * @description With `among=true`: the rank among the users asked for; null for who is not on the leaderboard.
             * @example 1
             */
            readonly among?: number | null;
        };
        readonly RankLookup: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            readonly period: components["schemas"]["RankPeriod"];
            /**
             * @description How many users are on it.
             * @example 1234
             */
            readonly total: number;
            readonly entries: readonly components["schemas"]["RankAmong"][];
        };
        readonly ActivityRefusal: {
            /**
             * @description The limit's name; `held`: points wait for a review.
             * @example praise-sliding
             */
            readonly limit: string;
            /**
             * Format: date-time
             * @description When the same is allowed again; null: at no moment that is known.
             */
            readonly allowedAgainAt: string | null;
        };
        readonly OwnerResult: {
            /** @example 9 */
            readonly userId: string;
            /** @enum {string} */
            readonly outcome: "granted" | "revoked" | "duplicate" | "limited" | "notGranted" | "closed" | "rejected" | "ignored";
            /**
             * @description The change of the owner's points.
             * @example 1
             */
            readonly points: number;
            /**
             * @example {
             *       "day": 8,
             *       "month": 60
             *     }
             */
            readonly scores: {
                readonly [key: string]: number;
            };
        };
        readonly ActivityResult: {
            /** @enum {string} */
            readonly outcome: "granted" | "revoked" | "duplicate" | "limited" | "notGranted" | "closed" | "rejected" | "ignored";
            /**
             * @description The change of the user's points: positive, negative or 0.
             * @example 2
             */
            readonly points: number;
            /**
             * @description The user's score on each leaderboard it counts on; empty if it was ignored. A part of a partitioned leaderboard is named `name/part`, here and in `boards`.
             * @example {
             *       "day": 5,
             *       "month": 17
             *     }
             */
            readonly scores: {
                readonly [key: string]: number;
            };
            /**
             * @description Its effect on each leaderboard that takes its action; `full`: beyond its `maxPoints`. Empty if it was ignored.
             * @example {
             *       "day": "closed",
             *       "month": "counted"
             *     }
             */
            readonly boards: {
                readonly [key: string]: "counted" | "unchanged" | "full" | "refused" | "closed" | "notStarted" | "ended" | "noPartition";
            };
            /**
             * @description The leaderboards on which it counted although their period had ended.
             * @example [
             *       "day"
             *     ]
             */
            readonly late?: readonly string[];
            /**
             * @description Why, where the outcome alone does not say: a limit's name, `held`, `future`, `scoreOutOfRange`, `erased`, `where`, `ownSubject`, `notRevocable`; also if only a leaderboard with its own ledger refused it.
             * @example ownSubject
             */
            readonly reason?: string;
            /** @description True if the user is excluded: the points are theirs, and show on no leaderboard until the exclusion ends. Left out if the outcome is `ignored` or follows from the activity's time alone. */
            readonly excluded?: boolean;
            /** @description Which limit refused it, on all leaderboards or on those that `boards` calls refused, and until when. */
            readonly refusal?: components["schemas"]["ActivityRefusal"];
            /** @description The outcome of the owner's points, if the rule gives any. */
            readonly owner?: components["schemas"]["OwnerResult"];
        };
        readonly ActivityResults: {
            readonly results: readonly components["schemas"]["ActivityResult"][];
        };
        readonly ListedPeriod: {
            /** @example 2026-11-20 */
            readonly key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T00:00:00.000Z
             */
            readonly start: string;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly end: string | null;
            /**
             * @description `notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final.
             * @enum {string}
             */
            readonly state: "notStarted" | "open" | "closing" | "settled";
            /**
             * @description How many users are on it, where known.
             * @example 1234
             */
            readonly total: number | null;
            /**
             * @description Of a settled period: SHA-256, in hex, of its final standings as they were archived.
             * @example e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
             */
            readonly checksum?: string;
            /** @description Of a settled period: how equal scores were put in order, in words. */
            readonly tieRule?: string;
        };
        readonly RankPeriods: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            readonly periods: readonly components["schemas"]["ListedPeriod"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
        };
        readonly PeriodPoints: {
            /**
             * @description The key of the period.
             * @example 2026-11-20
             */
            readonly period: string;
            /**
             * Format: date-time
             * @description When it begins.
             */
            readonly start: string;
            /** @example 37 */
            readonly points: number;
            /**
             * @description The ordinal rank that the user had; null to users who are kept off the leaderboards, of themselves.
             * @example 3
             */
            readonly rank: number | null;
        };
        readonly RankPoints: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            /** @example 42 */
            readonly userId: string;
            /**
             * Format: date
             * @example 2025-11-21
             */
            readonly from: string;
            /**
             * Format: date
             * @example 2026-11-20
             */
            readonly to: string;
            readonly periods: readonly components["schemas"]["PeriodPoints"][];
        };
        readonly RankHistoryEntry: {
            readonly period: components["schemas"]["RankPeriod"];
            /**
             * @description How many users were on it.
             * @example 1234
             */
            readonly total: number;
            /** @example 3 */
            readonly rank: number;
            /** @example 37 */
            readonly score: number;
            /**
             * Format: date-time
             * @description When the score was reached.
             */
            readonly reachedAt: string | null;
        };
        readonly RankHistory: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            /** @example 42 */
            readonly userId: string;
            readonly user: components["schemas"]["RankUser"] | null;
            readonly entries: readonly components["schemas"]["RankHistoryEntry"][];
            /** @description The cursor of what follows; null at the end. */
            readonly next: string | null;
        };
        readonly WaitingPeriod: {
            /** @example 2026-11-20 */
            readonly key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T00:00:00.000Z
             */
            readonly start: string;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly end: string | null;
            /**
             * @description `notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final.
             * @enum {string}
             */
            readonly state: "notStarted" | "open" | "closing" | "settled";
            /**
             * Format: date-time
             * @description When it closes: later activities do not count on it.
             */
            readonly closesAt: string;
            /** @description Whether it has closed: it is settled at the next check. */
            readonly isDue: boolean;
        };
        readonly LastSettled: {
            /** @example 2026-11-20 */
            readonly key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T00:00:00.000Z
             */
            readonly start: string;
            /**
             * Format: date-time
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly end: string | null;
            /**
             * @description `notStarted`: it is to come. `closing`: it has ended, and takes late activities. `settled`: it is final.
             * @enum {string}
             */
            readonly state: "notStarted" | "open" | "closing" | "settled";
            /** Format: date-time */
            readonly settledAt: string;
            /**
             * @description How many users were archived.
             * @example 1234
             */
            readonly total: number;
            /** @description SHA-256 of all lines, as settled. */
            readonly checksum: string;
        };
        readonly LeaderboardSettlement: {
            /** @example day */
            readonly leaderboard: string;
            readonly current: components["schemas"]["RankPeriod"];
            /** @description The earliest first. */
            readonly waiting: readonly components["schemas"]["WaitingPeriod"][];
            /** @description Null: none yet, or the leaderboard is partitioned. */
            readonly lastSettled: components["schemas"]["LastSettled"] | null;
        };
        readonly SettlementAnswer: {
            /** @description Whether the instance that answers settles. */
            readonly isOn: boolean;
            /** @description All but rolling windows, which are never settled. */
            readonly leaderboards: readonly components["schemas"]["LeaderboardSettlement"][];
        };
        readonly StreamedEntry: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description Null: not on it.
             * @example 4
             */
            readonly rank: number | null;
            /** @example 17 */
            readonly score: number;
            /**
             * Format: date-time
             * @description When the score was reached.
             */
            readonly reachedAt: string | null;
        };
        readonly StandingEvent: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            /**
             * @description The key of the period.
             * @example 2026-11-20
             */
            readonly period: string;
            /**
             * @description How many users are on it.
             * @example 1234
             */
            readonly total: number;
            readonly entry: components["schemas"]["StreamedEntry"];
        };
        readonly Overtaker: {
            /** @example 7 */
            readonly userId: string;
            /** @example 19 */
            readonly score: number;
            /** @description Null where no profile is known. */
            readonly user: components["schemas"]["RankUser"] | null;
        };
        readonly OvertakenEvent: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            /**
             * @description The key of the period.
             * @example 2026-11-20
             */
            readonly period: string;
            /**
             * @description One's own rank now.
             * @example 5
             */
            readonly rank: number;
            /**
             * @description How many places were lost.
             * @example 1
             */
            readonly places: number;
            /** @description Of those who passed the nearest. Null where one stood beyond the first hundred before: it is not known. */
            readonly by: components["schemas"]["Overtaker"] | null;
        };
        readonly AwayEvent: {
            /**
             * Format: date-time
             * @description Since when.
             */
            readonly since: string;
        };
        readonly WonBadge: {
            /**
             * @description For translations.
             * @example most-praised
             */
            readonly id: string;
            /** @example Most praised */
            readonly name: string;
            /**
             * @description `points`, `streak` or a tally.
             * @example given:comment
             */
            readonly of: string;
            /** @example all */
            readonly leaderboard: string;
            /**
             * @description The points needed then.
             * @example 100
             */
            readonly atLeast: number;
            /**
             * @description The number when it was judged.
             * @example 103
             */
            readonly value: number;
            /**
             * Format: date-time
             * @description When it was judged.
             */
            readonly wonAt: string;
        };
        readonly WonTitle: {
            /** @example month */
            readonly leaderboard: string;
            /** @example 2026-10 */
            readonly period: string;
            readonly title: components["schemas"]["RankTitle"];
        };
        readonly UserRewards: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description Follows the points; 0: none is reached. Null: there are none.
             * @example 3
             */
            readonly level: number | null;
            /**
             * @description The points that decide the level.
             * @example 640
             */
            readonly points: number | null;
            /**
             * @description From how many points on the next level is reached.
             * @example 1000
             */
            readonly nextLevel: number | null;
            /** @description The earliest first. */
            readonly badges: readonly components["schemas"]["WonBadge"][];
            /**
             * @description Days in a row with points, up to today or yesterday. Null: no leaderboard of days has all actions.
             * @example 5
             */
            readonly streak: number | null;
            /**
             * @description The days that the next badge for a streak needs.
             * @example 7
             */
            readonly nextStreak: number | null;
            /** @description With `titles=true`, by leaderboard, the latest first. */
            readonly titles?: readonly components["schemas"]["WonTitle"][];
        };
        readonly HistoryAdjustment: {
            /** @example ticket-4711 */
            readonly id: string;
            /** @example -50 */
            readonly points: number;
            /** @example Points for spam */
            readonly reason: string;
            /** Format: date-time */
            readonly at: string;
        };
        readonly HistoryDay: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            readonly date: string;
            /**
             * @description What stands of the day: as on the leaderboard of days that takes all actions, where there is one, with the adjustments of other leaderboards alone.
             * @example 5
             */
            readonly points: number;
            /**
             * @description How many standing activities of each action.
             * @example {
             *       "view": 3,
             *       "praise": 1
             *     }
             */
            readonly actions: {
                readonly [key: string]: number;
            };
            /**
             * @description With `versions=true`: the points by the version of the rules that they were granted by.
             * @example {
             *       "1": 3,
             *       "2": 2
             *     }
             */
            readonly versions?: {
                readonly [key: string]: number;
            };
            /**
             * @description How many standing activities of each action others did to subjects of this user; left out if there are none.
             * @example {
             *       "praise": 2,
             *       "follow": 1
             *     }
             */
            readonly received?: {
                readonly [key: string]: number;
            };
            /** @description Left out if there are none. */
            readonly adjustments?: readonly components["schemas"]["HistoryAdjustment"][];
        };
        readonly PeriodCounts: {
            /**
             * @description The key of the period.
             * @example 2026-W47
             */
            readonly period: string;
            /**
             * @example {
             *       "view": 30,
             *       "praise": 4
             *     }
             */
            readonly actions: {
                readonly [key: string]: number;
            };
            /**
             * @description Of the actions whose rules grant owners something.
             * @example {
             *       "praise": 2
             *     }
             */
            readonly received: {
                readonly [key: string]: number;
            };
        };
        readonly HistoryCounts: {
            /** @description Null: not all of its ledgers are kept. */
            readonly week: components["schemas"]["PeriodCounts"] | null;
            /** @description Null: not all of its ledgers are kept. */
            readonly month: components["schemas"]["PeriodCounts"] | null;
            /** @description The counts of all-time leaderboards' `tallies`. Null: there are none. */
            readonly all: components["schemas"]["PeriodCounts"] | null;
        };
        readonly HistoryAnswer: {
            /** @example 42 */
            readonly userId: string;
            /** @description In order; days without activities are left out. */
            readonly days: readonly components["schemas"]["HistoryDay"][];
            /** @description With `counts=true`. */
            readonly counts?: components["schemas"]["HistoryCounts"];
        };
        readonly OwnStanding: {
            /** @example day */
            readonly leaderboard: string;
            /**
             * @description Of a partitioned leaderboard: which partition.
             * @example java
             */
            readonly partition?: string;
            readonly period: components["schemas"]["RankPeriod"];
            /**
             * @description How many users are on it.
             * @example 1234
             */
            readonly total: number;
            readonly entry: components["schemas"]["OptionalRankEntry"];
            /** @description True if the user is excluded from the leaderboards; sent to this user and to the API key alone. The score is theirs. */
            readonly excluded?: boolean;
            /** @description True beside `excluded` if the user has opted out; others may exclude them too. */
            readonly optedOut?: boolean;
            /** @description Whether others have the same rank; by ordinal rank nobody has. */
            readonly tied: boolean;
            /** @description 100: nobody is ahead. */
            readonly percentile: number | null;
        };
        readonly TracedRefusal: {
            /** Format: date-time */
            readonly at: string;
            /** @example 42 */
            readonly userId: string;
            /** @example praise */
            readonly action: string;
            /** @example article:7 */
            readonly subject: string;
            /** @enum {string} */
            readonly outcome: "limited" | "rejected";
            /**
             * @description The limit's name, `held`, `future` or `scoreOutOfRange`.
             * @example praise-daily
             */
            readonly reason: string;
            /** Format: date-time */
            readonly allowedAgainAt: string | null;
            /**
             * @description The leaderboards, or their partitions, that refused it, where others accepted it.
             * @example [
             *       "writers"
             *     ]
             */
            readonly leaderboards?: readonly string[];
            /** @description Of a limit of the app's own type that threw: the error's message. */
            readonly fault?: string;
        };
        readonly BoardEffect: {
            /**
             * @description The key of the period.
             * @example 2026-11
             */
            readonly period: string;
            /** @example 2 */
            readonly points: number;
        };
        readonly LedgerPageLine: {
            /**
             * @description The ledger's code of the action where no rule has it.
             * @example praise
             */
            readonly action: string;
            /**
             * @description Null where it is long.
             * @example article:7
             */
            readonly subject: string | null;
            /**
             * @description Of a long subject: base64url of the first 132 bits of its SHA-256, or of the first 72.
             * @example null
             */
            readonly digest: string | null;
            /** @description Of what another user did to this user's subject: that user, or # and a digest of a long id, or # and 16 characters of an erased user. */
            readonly from?: string;
            /**
             * @description The partitions that the activity named.
             * @example {
             *       "category": "java"
             *     }
             */
            readonly partitions?: {
                readonly [key: string]: string;
            };
            /** @description Of an adjustment, action `adjust` with its id as subject: why. */
            readonly reason?: string;
            /**
             * @description The points that stand; 0 if they were taken back or never given.
             * @example 2
             */
            readonly points: number;
            /**
             * @description Of the rules that granted them; null where nothing stands.
             * @example 1
             */
            readonly version: number | null;
            /** Format: date-time */
            readonly grantedAt: string | null;
            /** Format: date-time */
            readonly revokedAt: string | null;
            /**
             * @description Where they count, by leaderboard, without partitioned ones. A leaderboard whose period was closed when the activity arrived does not have them.
             * @example {
             *       "day": {
             *         "period": "2026-11-20",
             *         "points": 2
             *       },
             *       "month": {
             *         "period": "2026-11",
             *         "points": 2
             *       }
             *     }
             */
            readonly boards: {
                readonly [key: string]: components["schemas"]["BoardEffect"];
            };
        };
        readonly LedgerDayAnswer: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            readonly date: string;
            /**
             * @description Points that stand, of the whole day.
             * @example 37
             */
            readonly points: number;
            readonly lines: readonly components["schemas"]["LedgerPageLine"][];
        };
        readonly UserDataAnswer: {
            /** @example 42 */
            readonly userId: string;
            /** @description As everyone sees them; null: no profile is known. */
            readonly user: components["schemas"]["RankUser"] | null;
            /**
             * Format: date
             * @description Where `firstDays` is on.
             */
            readonly firstDay: string | null;
            /** @description Of the current period of each leaderboard without partitions. */
            readonly standings: readonly components["schemas"]["OwnStanding"][];
            /** @description Of the latest 1,000 of all users. */
            readonly refusals: readonly components["schemas"]["TracedRefusal"][];
            /** @description Every day that is kept: grants, revokes and adjustments. */
            readonly days: readonly components["schemas"]["LedgerDayAnswer"][];
        };
        readonly LimitQuota: {
            /**
             * @description The limit's name.
             * @example praise-daily
             */
            readonly limit: string;
            /** @example daily */
            readonly type: string;
            /**
             * @description Null: all actions together.
             * @example praise
             */
            readonly action: string | null;
            /**
             * @description The counted unit.
             * @enum {string}
             */
            readonly of: "grants" | "points";
            /**
             * @description Null where a limit of the app's own type does not return it; so are `used` and `left`.
             * @example 50
             */
            readonly max: number | null;
            /** @example 50 */
            readonly used: number | null;
            /** @example 0 */
            readonly left: number | null;
            /**
             * Format: date-time
             * @description Null while something is left.
             */
            readonly allowedAgainAt: string | null;
        };
        readonly QuotaAnswer: {
            /** @example 42 */
            readonly userId: string;
            /**
             * Format: date
             * @description Today, in the module's time zone.
             * @example 2026-11-20
             */
            readonly date: string;
            readonly limits: readonly components["schemas"]["LimitQuota"][];
        };
        readonly LedgerPage: {
            /**
             * Format: date
             * @example 2026-11-20
             */
            readonly date: string;
            /**
             * @description Points that stand, of the whole day.
             * @example 37
             */
            readonly points: number;
            readonly lines: readonly components["schemas"]["LedgerPageLine"][];
            /** @example 42 */
            readonly userId: string;
            /**
             * @description How many lines the day has.
             * @example 21
             */
            readonly total: number;
            /** @description The `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
        };
        readonly RefusalsAnswer: {
            readonly refusals: readonly components["schemas"]["TracedRefusal"][];
        };
        readonly Operation: {
            /** Format: date-time */
            readonly at: string;
            /**
             * @description The name of the key; `api-key` where it has none.
             * @example moderators
             */
            readonly key: string;
            /**
             * @description Which operator, where the body says so.
             * @example ada
             */
            readonly by: string | null;
            /**
             * @description The route, without values.
             * @example PUT /activity/exclusions/:userId
             */
            readonly did: string;
            /**
             * @description To whom; null: to nobody by name, as an erasure.
             * @example 42
             */
            readonly userId: string | null;
            /**
             * @description The id of a review, an adjustment or a receipt, or a subject.
             * @example a1
             */
            readonly about: string | null;
            /**
             * @description Why, as the body says.
             * @example three accounts
             */
            readonly why: string | null;
        };
        readonly OperationsAnswer: {
            readonly operations: readonly components["schemas"]["Operation"][];
        };
        readonly RevaluationReport: {
            /**
             * @description Users with ledgers of these days.
             * @example 1234
             */
            readonly users: number;
            /**
             * @description Of them, those of whom some grant asks for something else now.
             * @example 321
             */
            readonly changed: number;
            /**
             * @description By how much the users' own points changed together, by the module's own ledger.
             * @example 987
             */
            readonly points: number;
        };
        readonly Ring: {
            /**
             * @example [
             *       "42",
             *       "43",
             *       "44"
             *     ]
             */
            readonly users: readonly string[];
            /**
             * @description How often each gives to the next.
             * @example [
             *       9,
             *       7,
             *       8
             *     ]
             */
            readonly counts: readonly number[];
            /**
             * @description The smallest of the counts: how tight the ring is.
             * @example 7
             */
            readonly least: number;
        };
        readonly ReportedRings: {
            /** @example 2026-11 */
            readonly period: string;
            /** @example praise */
            readonly action: string;
            /** @example 5 */
            readonly min: number;
            /**
             * @description The first day whose ledgers were read: those of the period's first days may be gone.
             * @example 2026-11-01
             */
            readonly from: string;
            /**
             * @description The last day whose ledgers were read.
             * @example 2026-11-20
             */
            readonly to: string;
            /**
             * Format: date-time
             * @description When the first day began.
             */
            readonly since: string;
            /**
             * @description Users on the standings of the period, excluded ones too.
             * @example 1234
             */
            readonly users: number;
            /**
             * @description Pairs of users of whom one gives the other at least as often as `min` says.
             * @example 321
             */
            readonly edges: number;
            /** @description The tightest first. */
            readonly rings: readonly components["schemas"]["Ring"][];
            /**
             * @description How many rings there are, in the answer or not.
             * @example 3
             */
            readonly total: number;
            /** @description True if there were more paths than were tried, or more pairs than are remembered: the loosest were left out. */
            readonly isPartial: boolean;
            /** @description Users of the rings who are already excluded, by an operator or for a review. */
            readonly excluded: readonly string[];
        };
        readonly SimulatedStanding: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description Under the simulated rules.
             * @example 60
             */
            readonly points: number;
            /** @description When the real score was reached, or now where there is none, in milliseconds: of equal points, the earlier is first. */
            readonly reachedAtMs: number;
            /**
             * @description Null: not on it.
             * @example 3
             */
            readonly rankNow: number | null;
            /** @example 37 */
            readonly pointsNow: number;
        };
        readonly Simulation: {
            /** @example month */
            readonly leaderboard: string;
            /** @example 2026-11 */
            readonly period: string;
            /**
             * @description The users on it, now or by the other rules.
             * @example 1234
             */
            readonly users: number;
            /** @example 9876 */
            readonly pointsNow: number;
            /** @example 12345 */
            readonly pointsThen: number;
            /** @description The best, in order, without users that would have no points. */
            readonly top: readonly components["schemas"]["SimulatedStanding"][];
            /** @description Recorded actions for which the rules give nothing. */
            readonly worthless: readonly string[];
            /** @description Users whose ledgers do not add up to their points, because of activities or revokes that came too late. */
            readonly uneven: number;
        };
        readonly RulesRefusal: {
            /** Format: date-time */
            readonly at: string;
            readonly errors: readonly components["schemas"]["ProblemFault"][];
        };
        readonly RulesAnswer: {
            /** @description With every default filled in. */
            readonly rules: readonly ({
                /** @example praise */
                readonly action: string;
                /** @example 2 */
                readonly points: number;
                readonly revocable: boolean;
                readonly during?: readonly {
                    /**
                     * Format: date-time
                     * @example 2026-12-05T00:00:00+08:00
                     */
                    readonly from?: string;
                    /**
                     * Format: date-time
                     * @example 2026-12-07T00:00:00+08:00
                     */
                    readonly until?: string;
                    /** @example 4 */
                    readonly points: number;
                    readonly ownerPoints?: number;
                }[];
            } & {
                readonly [key: string]: unknown;
            })[];
            /** @description With every default filled in. */
            readonly limits: readonly ({
                /** @example daily */
                readonly type: string;
                /** @example praise-daily */
                readonly name?: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.
             * @example 3
             */
            readonly version: number | null;
            /**
             * @description Counts the sets of rules that were put in force for all instances; 0: none yet.
             * @example 7
             */
            readonly revision: number;
            /**
             * Format: date-time
             * @description When they were put in force.
             */
            readonly since: string;
            /**
             * @description Where they come from.
             * @enum {string}
             */
            readonly source: "options" | "posted";
            /** @description The set that was refused since: rules that this instance cannot use. */
            readonly refused: components["schemas"]["RulesRefusal"] | null;
        };
        readonly RuleChange: {
            /** @enum {string} */
            readonly kind: "rule" | "limit";
            /**
             * @description The rule's action or the limit's name.
             * @example praise
             */
            readonly name: string;
            /** @description Null: it is added. */
            readonly before: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Null: it is removed. */
            readonly after: {
                readonly [key: string]: unknown;
            } | null;
        };
        readonly RulesChanged: {
            /** @description With every default filled in. */
            readonly rules: readonly ({
                /** @example praise */
                readonly action: string;
                /** @example 2 */
                readonly points: number;
                readonly revocable: boolean;
                readonly during?: readonly {
                    /**
                     * Format: date-time
                     * @example 2026-12-05T00:00:00+08:00
                     */
                    readonly from?: string;
                    /**
                     * Format: date-time
                     * @example 2026-12-07T00:00:00+08:00
                     */
                    readonly until?: string;
                    /** @example 4 */
                    readonly points: number;
                    readonly ownerPoints?: number;
                }[];
            } & {
                readonly [key: string]: unknown;
            })[];
            /** @description With every default filled in. */
            readonly limits: readonly ({
                /** @example daily */
                readonly type: string;
                /** @example praise-daily */
                readonly name?: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            /**
             * @description Ledgers store it with points; the same rules and limits have the same version. Null: not read from Redis yet.
             * @example 3
             */
            readonly version: number | null;
            /**
             * @description Counts the sets of rules that were put in force for all instances; 0: none yet.
             * @example 7
             */
            readonly revision: number;
            /**
             * Format: date-time
             * @description When they were put in force.
             */
            readonly since: string;
            /**
             * @description Where they come from.
             * @enum {string}
             */
            readonly source: "options" | "posted";
            /** @description The set that was refused since: rules that this instance cannot use. */
            readonly refused: components["schemas"]["RulesRefusal"] | null;
            readonly changes: readonly components["schemas"]["RuleChange"][];
            /**
             * @description Of a dry run: nothing has changed.
             * @example true
             */
            readonly dryRun?: boolean;
        };
        readonly FilledPeriod: {
            /** @example 2027-03-01--2027-03-31 */
            readonly period: string;
            /**
             * Format: date
             * @description The first of its days whose ledgers were there; earlier ones are gone.
             */
            readonly from: string;
        };
        readonly LiveLeaderboard: {
            /**
             * @description As it was posted.
             * @example {
             *       "name": "spring",
             *       "contest": {
             *         "from": "2027-03-01",
             *         "to": "2027-03-31"
             *       },
             *       "actions": [
             *         "publish"
             *       ]
             *     }
             */
            readonly config?: {
                /** @example spring */
                readonly name: string;
                readonly contest?: {
                    /** Format: date */
                    readonly from: string;
                    /** Format: date */
                    readonly to: string;
                };
                /**
                 * @example week
                 * @enum {string}
                 */
                readonly period?: "hour" | "day" | "week" | "month" | "quarter" | "year" | "all";
                readonly seasons?: readonly string[];
                readonly rolling?: {
                    readonly days: number;
                    readonly refreshMs?: number;
                };
                /** @enum {string} */
                readonly weekStart?: "monday" | "sunday";
                /** @enum {string} */
                readonly visibility?: "all" | "signed-in" | "nobody";
                readonly actions?: readonly string[];
                readonly partition?: string;
                readonly tallies?: readonly string[];
                readonly where?: readonly {
                    readonly partition: string;
                    readonly only?: readonly string[];
                    readonly except?: readonly string[];
                }[];
                /** @enum {integer|null} */
                readonly floor?: 0 | null;
                readonly maxPoints?: number | null;
                readonly latenessMs?: number;
                readonly retentionMs?: number | null;
            };
            /** @example spring */
            readonly name: string;
            /**
             * Format: date-time
             * @description When it began, or last changed what counts on it.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description When an operator ended it.
             */
            readonly endedAt: string | null;
            /**
             * Format: date-time
             * @description When it was filled from the ledgers. Null: it still is being filled.
             */
            readonly filledAt: string | null;
            /** @description The open periods, once filled. Those that had closed stay empty. */
            readonly periods: readonly components["schemas"]["FilledPeriod"][];
            /**
             * @description The actions that counted nowhere before: what users did of them until `since` cannot be filled in.
             * @example []
             */
            readonly without: readonly string[];
        };
        readonly LiveLeaderboardsAnswer: {
            readonly leaderboards: readonly components["schemas"]["LiveLeaderboard"][];
        };
        readonly Adjustment: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description Not 0. A minus may lead below zero, which a leaderboard shows as its `floor`.
             * @example -50
             */
            readonly points: number;
            /**
             * @description 1 to 512 bytes; shown in the history.
             * @example Points for spam
             */
            readonly reason: string;
            /**
             * @description 1 to 56 bytes: it is stored in a ledger's field. Each is applied once to a user.
             * @example ticket-4711
             */
            readonly id: string;
            /**
             * Format: date
             * @description The day whose ledger and whose open leaderboards are adjusted. Default: today.
             */
            readonly date?: string | null;
            /** @description The one leaderboard to adjust. Default: all that are not partitioned. */
            readonly leaderboard?: string | null;
            /**
             * @description Of a partitioned leaderboard, the one partition to adjust.
             * @example java
             */
            readonly partition?: string | null;
        };
        readonly Adjusted: {
            /**
             * @description Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an erased user.
             * @enum {string}
             */
            readonly outcome: "granted" | "revoked" | "duplicate" | "closed" | "rejected";
            /** @example ticket-4711 */
            readonly id: string;
            /** @example 42 */
            readonly userId: string;
            /**
             * @description The largest change on a leaderboard of the module's time zone.
             * @example -50
             */
            readonly points: number;
            /**
             * @description The change on each leaderboard.
             * @example {
             *       "day": -5,
             *       "month": -50
             *     }
             */
            readonly changes: {
                readonly [key: string]: number;
            };
            /**
             * @example {
             *       "day": 0,
             *       "month": 17
             *     }
             */
            readonly scores: {
                readonly [key: string]: number;
            };
            /**
             * @example {
             *       "day": "counted",
             *       "month": "counted"
             *     }
             */
            readonly boards: {
                readonly [key: string]: "counted" | "unchanged" | "full" | "refused" | "closed" | "notStarted" | "ended" | "noPartition";
            };
            /**
             * @description Why, where the outcome alone does not say.
             * @example scoreOutOfRange
             */
            readonly reason?: string;
        };
        readonly TracedAdjustment: {
            /**
             * @description Points were added; were taken; the id was applied before; the day is closed; more than a board holds, or of an erased user.
             * @enum {string}
             */
            readonly outcome: "granted" | "revoked" | "duplicate" | "closed" | "rejected";
            /** @example ticket-4711 */
            readonly id: string;
            /** @example 42 */
            readonly userId: string;
            /**
             * @description The largest change on a leaderboard of the module's time zone.
             * @example -50
             */
            readonly points: number;
            /**
             * @description The change on each leaderboard.
             * @example {
             *       "day": -5,
             *       "month": -50
             *     }
             */
            readonly changes: {
                readonly [key: string]: number;
            };
            /** Format: date-time */
            readonly at: string;
            /**
             * @description The points that were asked for.
             * @example -50
             */
            readonly asked: number;
            /** @example Points for spam */
            readonly reason: string;
        };
        readonly AdjustmentsAnswer: {
            readonly adjustments: readonly components["schemas"]["TracedAdjustment"][];
        };
        readonly Deletion: {
            /**
             * @description The subject as activities name it: text of 1 to 512 bytes.
             * @example article:7
             */
            readonly subject: string;
        };
        readonly TakenBack: {
            /**
             * @description How many grants.
             * @example 12
             */
            readonly grants: number;
            /**
             * @description Their points, as the module's own ledger counts them.
             * @example 24
             */
            readonly points: number;
        };
        readonly DeletionReceipt: {
            /** @example 0mb1x3f2k0001-5c1f09aa */
            readonly id: string;
            /**
             * @description `waiting`: for its turn, or for a retry after a fault.
             * @example done
             * @enum {string}
             */
            readonly state: "waiting" | "running" | "done";
            /**
             * Format: date-time
             * @example 2026-11-20T08:12:01.123Z
             */
            readonly askedAt: string;
            /**
             * Format: date-time
             * @description When it was last begun.
             */
            readonly startedAt: string | null;
            /** Format: date-time */
            readonly doneAt: string | null;
            /**
             * @description The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).
             * @example null
             */
            readonly fault: string | null;
            /**
             * @description Null where a receipt is read of one that is done, if the subject is a user.
             * @example article:7
             */
            readonly subject: string | null;
            /** @description So far. What a crashed instance took last may be missing. */
            readonly taken: components["schemas"]["TakenBack"];
        };
        readonly ErasureReceipt: {
            /** @example 0mb1x3f2k0001-5c1f09aa */
            readonly id: string;
            /**
             * @description `waiting`: for its turn, or for a retry after a fault.
             * @example done
             * @enum {string}
             */
            readonly state: "waiting" | "running" | "done";
            /**
             * Format: date-time
             * @example 2026-11-20T08:12:01.123Z
             */
            readonly askedAt: string;
            /**
             * Format: date-time
             * @description When it was last begun.
             */
            readonly startedAt: string | null;
            /** Format: date-time */
            readonly doneAt: string | null;
            /**
             * @description The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).
             * @example null
             */
            readonly fault: string | null;
            /**
             * @description Null where a receipt is read of one that is done: nothing names the user then.
             * @example 42
             */
            readonly userId: string | null;
            /**
             * @description How much there was, by kind, when the last try began.
             * @example {
             *       "boards": 4,
             *       "rolling": 0,
             *       "ledgers": 12,
             *       "lists": 1,
             *       "named": 4,
             *       "archived": 30,
             *       "reviews": 0
             *     }
             */
            readonly erased: {
                readonly [key: string]: number;
            };
        };
        readonly Readmission: {
            /** @example 42 */
            readonly userId: string;
        };
        readonly ReadmissionAnswer: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description False: the user was not refused.
             * @example true
             */
            readonly readmitted: boolean;
        };
        readonly Exclusion: {
            /** @example 42 */
            readonly userId: string;
            /** @enum {string} */
            readonly reason: "banned" | "staff" | "optedOut" | "held";
            /**
             * @description Each source removes only its own exclusions.
             * @enum {string}
             */
            readonly source: "operator" | "directory" | "review" | "user";
            /** Format: date-time */
            readonly since: string;
            /**
             * @description Which operator.
             * @example ada
             */
            readonly by: string | null;
            readonly note: string | null;
        };
        readonly ExclusionList: {
            readonly exclusions: readonly components["schemas"]["Exclusion"][];
            /** @description The `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
        };
        readonly ExclusionState: {
            /** @example 42 */
            readonly userId: string;
            readonly excluded: boolean;
            /** @description Of each source that excludes the user. */
            readonly exclusions: readonly components["schemas"]["Exclusion"][];
        };
        readonly ExclusionOptions: {
            /**
             * @default banned
             * @enum {string}
             */
            readonly reason: "banned" | "staff" | "held";
            /**
             * @description Which operator; up to 128 bytes.
             * @example ada
             */
            readonly by?: string;
            /**
             * @description For other operators; up to 512 bytes.
             * @example three accounts, one phone
             */
            readonly note?: string;
        };
        readonly Merge: {
            /**
             * @description The account that goes.
             * @example 42
             */
            readonly from: string;
            /**
             * @description The account that stays.
             * @example 7
             */
            readonly into: string;
            /**
             * @description Which operator; up to 128 bytes.
             * @example ada
             */
            readonly by?: string;
            /**
             * @description Why, for other operators; up to 512 bytes.
             * @example forgot the password
             */
            readonly note?: string;
        };
        readonly MergeReceipt: {
            /** @example 0mb1x3f2k0001-5c1f09aa */
            readonly id: string;
            /**
             * @description `waiting`: for its turn, or for a retry after a fault.
             * @example done
             * @enum {string}
             */
            readonly state: "waiting" | "running" | "done";
            /**
             * Format: date-time
             * @example 2026-11-20T08:12:01.123Z
             */
            readonly askedAt: string;
            /**
             * Format: date-time
             * @description When it was last begun.
             */
            readonly startedAt: string | null;
            /** Format: date-time */
            readonly doneAt: string | null;
            /**
             * @description The error code of the last try (`timeout:directory`), or what another instance has to do (`waiting:archived`).
             * @example null
             */
            readonly fault: string | null;
            /**
             * @description Null where a receipt is read of one that is done.
             * @example 42
             */
            readonly from: string | null;
            /**
             * @description Null where a receipt is read of one that is done.
             * @example 7
             */
            readonly into: string | null;
            /**
             * @description How much there was when the last try began: `facts` of the account itself, what it `received` of others, and what the one gave the other, which has `ended`.
             * @example {
             *       "facts": 31,
             *       "received": 4,
             *       "ended": 2
             *     }
             */
            readonly merged: {
                readonly [key: string]: number;
            };
            /**
             * @description As that of an erasure.
             * @example {
             *       "boards": 4,
             *       "ledgers": 12,
             *       "archived": 30
             *     }
             */
            readonly erased: {
                readonly [key: string]: number;
            };
        };
        readonly OptOutAnswer: {
            /** @example 42 */
            readonly userId: string;
            readonly optedOut: boolean;
        };
        readonly HeldActivity: {
            /** @example praise */
            readonly action: string;
            /** @example article:7 */
            readonly subject: string;
            /**
             * Format: date-time
             * @description A moment of its day.
             */
            readonly occurredAt: string;
            /** @description Of an action that counts each activity by its id. */
            readonly id?: string;
        };
        readonly OwnerLoss: {
            /** @example 7 */
            readonly userId: string;
            /**
             * @description How many grants.
             * @example 3
             */
            readonly grants: number;
            /** @example 3 */
            readonly points: number;
        };
        readonly VoidedGifts: {
            /**
             * @description How many grants.
             * @example 5
             */
            readonly grants: number;
            /**
             * @description Their points, as the module's own ledger counts them.
             * @example 5
             */
            readonly points: number;
            /**
             * @description From how many owners.
             * @example 2
             */
            readonly owners: number;
            /** @description The 100 owners who lost most, the most first. */
            readonly losses: readonly components["schemas"]["OwnerLoss"][];
        };
        readonly Voided: {
            /**
             * @description How many grants.
             * @example 12
             */
            readonly grants: number;
            /**
             * @description Their points, as the module's own ledger counts them.
             * @example 24
             */
            readonly points: number;
            /**
             * @description Final standings that the user was removed from.
             * @example [
             *       "day 2026-11-20"
             *     ]
             */
            readonly removedFrom: readonly string[];
            /** @description Left out where owners keep what the user gave. */
            readonly gifts?: components["schemas"]["VoidedGifts"];
        };
        readonly Review: {
            /** Format: uuid */
            readonly id: string;
            /** @example 42 */
            readonly userId: string;
            /** @enum {string} */
            readonly state: "held" | "released" | "voided";
            readonly reason: string;
            /** @example ada */
            readonly heldBy: string | null;
            /** Format: date-time */
            readonly heldAt: string;
            /**
             * Format: date-time
             * @description The points in question are those from here on; `activities` whenever they were.
             */
            readonly from: string;
            /**
             * @description Only the points of this action wait.
             * @example praise
             */
            readonly action?: string;
            /** @description These alone wait, beside those of `action`. */
            readonly activities?: readonly components["schemas"]["HeldActivity"][];
            readonly decidedBy: string | null;
            /** Format: date-time */
            readonly decidedAt: string | null;
            readonly note: string | null;
            /** @description Of voided points: whether owners keep what the user gave them. */
            readonly keepsGifts?: boolean;
            readonly voided: components["schemas"]["Voided"] | null;
        };
        readonly ReviewList: {
            readonly reviews: readonly components["schemas"]["Review"][];
        };
        readonly HoldOptions: {
            /** @example 42 */
            readonly userId: string;
            /**
             * @description 1 to 512 bytes.
             * @example praised by nine new accounts in a minute
             */
            readonly reason: string;
            /**
             * Format: date-time
             * @description The points in question are those from here on. Default: now.
             */
            readonly from?: string;
            /**
             * @description The points of this action alone wait, one of the rules'; the user stays on the leaderboards.
             * @example praise
             */
            readonly action?: string;
            /** @description The points of these alone wait, 1 to 100; the user stays on the leaderboards. */
            readonly activities?: readonly components["schemas"]["HeldActivity"][];
            /**
             * @description Which operator; up to 128 bytes.
             * @example ada
             */
            readonly by?: string;
        };
        readonly DecisionOptions: {
            /**
             * @description Which operator; up to 128 bytes.
             * @example ada
             */
            readonly by?: string;
            /** @description Up to 512 bytes. */
            readonly note?: string;
        };
        readonly VoidOptions: {
            /**
             * @description Which operator; up to 128 bytes.
             * @example ada
             */
            readonly by?: string;
            /** @description Up to 512 bytes. */
            readonly note?: string;
            /**
             * @description Whether owners keep what the user's activities gave them; else it is taken from them too.
             * @default false
             */
            readonly keepsGifts: boolean;
        };
        readonly UserSummary: {
            /** @example 42 */
            readonly id: string;
            /** @example Ada */
            readonly name: string;
            /** @example /avatars/42.svg */
            readonly avatarUrl: string;
        };
        readonly ArticleReview: {
            /** @enum {string} */
            readonly state: "waiting" | "approved" | "refused";
            /**
             * @description Why it was refused.
             * @example Name your sources.
             */
            readonly reason: string | null;
        };
        readonly ArticleSummary: {
            /** @example 7 */
            readonly id: string;
            /** @example On sorted sets */
            readonly title: string;
            /**
             * @example technology
             * @enum {string}
             */
            readonly category: "general" | "technology" | "science" | "arts" | "life" | "sports";
            readonly author: components["schemas"]["UserSummary"];
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Null: a draft.
             */
            readonly publishedAt: string | null;
            /** @description Of a draft that was handed in to be reviewed, the last time; null otherwise. */
            readonly review: components["schemas"]["ArticleReview"] | null;
            /** @example 12 */
            readonly praises: number;
            /** @example 4 */
            readonly collects: number;
            /** @example 9 */
            readonly comments: number;
        };
        readonly ArticleList: {
            readonly articles: readonly components["schemas"]["ArticleSummary"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
        };
        readonly ArticleDraft: {
            /** @example On sorted sets */
            readonly title: string;
            /** @example A sorted set is … */
            readonly body: string;
            /**
             * @description What it is about, for good.
             * @default general
             * @enum {string}
             */
            readonly category: "general" | "technology" | "science" | "arts" | "life" | "sports";
        };
        readonly CommentView: {
            /** @example 31 */
            readonly id: string;
            readonly author: components["schemas"]["UserSummary"];
            /** @example Well said. */
            readonly body: string;
            /** Format: date-time */
            readonly createdAt: string;
        };
        readonly ArticleViewer: {
            readonly praised: boolean;
            readonly collected: boolean;
            readonly followsAuthor: boolean;
        };
        readonly ArticlePage: {
            /** @example 7 */
            readonly id: string;
            /** @example On sorted sets */
            readonly title: string;
            /**
             * @example technology
             * @enum {string}
             */
            readonly category: "general" | "technology" | "science" | "arts" | "life" | "sports";
            readonly author: components["schemas"]["UserSummary"];
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Null: a draft.
             */
            readonly publishedAt: string | null;
            /** @description Of a draft that was handed in to be reviewed, the last time; null otherwise. */
            readonly review: components["schemas"]["ArticleReview"] | null;
            /** @example 12 */
            readonly praises: number;
            /** @example 4 */
            readonly collects: number;
            /** @example 9 */
            readonly comments: number;
            /** @example A sorted set is … */
            readonly body: string;
            /** @description The newest first, fifty at most. */
            readonly latestComments: readonly components["schemas"]["CommentView"][];
            /** @description The cursor of the comments behind them; null: there are no others. */
            readonly olderComments: string | null;
            /** @description Of the signed-in reader; null if nobody is signed in. */
            readonly viewer: components["schemas"]["ArticleViewer"] | null;
        };
        readonly ClickOutcome: {
            /** @example praise */
            readonly action: string;
            /**
             * @description `duplicate`: it had been done, or undone, before.
             * @enum {string}
             */
            readonly outcome: "granted" | "revoked" | "duplicate" | "limited" | "notGranted" | "closed" | "ignored" | "rejected";
            /**
             * @description By how much your points changed.
             * @example 2
             */
            readonly points: number;
            /**
             * @description Why, where the outcome alone does not say: `ownSubject`, `held`, or the name of a limit.
             * @example null
             */
            readonly reason: string | null;
            /** @description Of `limited`: by which limit, and until when. */
            readonly refusal: components["schemas"]["ActivityRefusal"] | null;
            /**
             * @description Whether you are excluded, so that your points show on no leaderboard.
             * @example false
             */
            readonly excluded: boolean;
        };
        readonly ArticleWithOutcome: {
            /** @example 7 */
            readonly id: string;
            /** @example On sorted sets */
            readonly title: string;
            /**
             * @example technology
             * @enum {string}
             */
            readonly category: "general" | "technology" | "science" | "arts" | "life" | "sports";
            readonly author: components["schemas"]["UserSummary"];
            /** Format: date-time */
            readonly createdAt: string;
            /**
             * Format: date-time
             * @description Null: a draft.
             */
            readonly publishedAt: string | null;
            /** @description Of a draft that was handed in to be reviewed, the last time; null otherwise. */
            readonly review: components["schemas"]["ArticleReview"] | null;
            /** @example 12 */
            readonly praises: number;
            /** @example 4 */
            readonly collects: number;
            /** @example 9 */
            readonly comments: number;
            /** @example A sorted set is … */
            readonly body: string;
            /** @description The newest first, fifty at most. */
            readonly latestComments: readonly components["schemas"]["CommentView"][];
            /** @description The cursor of the comments behind them; null: there are no others. */
            readonly olderComments: string | null;
            /** @description Of the signed-in reader; null if nobody is signed in. */
            readonly viewer: components["schemas"]["ArticleViewer"] | null;
            readonly outcome?: components["schemas"]["ClickOutcome"] | null;
        };
        readonly CommentList: {
            readonly comments: readonly components["schemas"]["CommentView"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
        };
        readonly ArticleText: {
            /** @example On sorted sets */
            readonly title: string;
            /** @example A sorted set is … */
            readonly body: string;
        };
        readonly SubmittedArticle: {
            /** @example 7 */
            readonly id: string;
            /** @example On sorted sets */
            readonly title: string;
            /**
             * @example technology
             * @enum {string}
             */
            readonly category: "general" | "technology" | "science" | "arts" | "life" | "sports";
            readonly author: components["schemas"]["UserSummary"];
            /** @example A sorted set is … */
            readonly body: string;
        };
        readonly Submission: {
            /** @example 3 */
            readonly id: string;
            /** Format: date-time */
            readonly submittedAt: string;
            readonly article: components["schemas"]["SubmittedArticle"];
        };
        readonly SubmissionList: {
            readonly submissions: readonly components["schemas"]["Submission"][];
            /** @description The cursor of the next page; null on the last. */
            readonly next: string | null;
        };
        readonly DecidedSubmission: {
            /** @example 3 */
            readonly id: string;
            /** @example 7 */
            readonly articleId: string;
            /** @enum {string} */
            readonly decision: "approved" | "refused";
            /** Format: date-time */
            readonly decidedAt: string;
        };
        readonly Refusal: {
            /**
             * @description Its author reads it.
             * @example Name your sources.
             */
            readonly reason: string;
        };
        readonly Registration: {
            /**
             * @description Shown on leaderboards; nobody else may have it, in capitals or not, nor one that looks the same.
             * @example Ada
             */
            readonly name: string;
            /**
             * Format: password
             * @example correct horse
             */
            readonly password: string;
        };
        readonly Session: {
            /** @description Sent as `Authorization: Bearer <token>`. */
            readonly token: string;
            /**
             * Format: date-time
             * @description From when on the token is worth nothing.
             */
            readonly expiresAt: string;
            readonly user: components["schemas"]["UserSummary"];
        };
        readonly Credentials: {
            /** @example Ada */
            readonly name: string;
            /**
             * Format: password
             * @example correct horse
             */
            readonly password: string;
        };
        readonly CommentDraft: {
            /** @example Well said. */
            readonly body: string;
        };
        readonly MadeComment: {
            /** @example 31 */
            readonly id: string;
            readonly author: components["schemas"]["UserSummary"];
            /** @example Well said. */
            readonly body: string;
            /** Format: date-time */
            readonly createdAt: string;
            readonly outcome?: components["schemas"]["ClickOutcome"] | null;
        };
        readonly OutcomeAnswer: {
            /** @description Null: it was not recorded within a second, as while Redis is away. It will be. */
            readonly outcome: components["schemas"]["ClickOutcome"] | null;
        };
        readonly Followed: {
            /**
             * @description The latest first.
             * @example [
             *       "42"
             *     ]
             */
            readonly userIds: readonly string[];
        };
        readonly NamesWanted: {
            /**
             * @example [
             *       "article:7",
             *       "user:42"
             *     ]
             */
            readonly subjects: readonly string[];
        };
        readonly Names: {
            /**
             * @description By subject. What is not there, or not online, is left out.
             * @example {
             *       "article:7": "On sorted sets",
             *       "user:42": "Ada Lovelace"
             *     }
             */
            readonly names: {
                readonly [key: string]: string;
            };
        };
        readonly PointsOfAction: {
            /** @example praise */
            readonly action: string;
            /** @example 2 */
            readonly points: number;
            /** @description Whether undoing it takes the points back. */
            readonly revocable: boolean;
        };
        readonly PointsList: {
            readonly actions: readonly components["schemas"]["PointsOfAction"][];
        };
        readonly FoundUser: {
            /** @example 42 */
            readonly id: string;
            /** @example Ada */
            readonly name: string;
            /** @example /avatars/42.svg */
            readonly avatarUrl: string;
            /**
             * @description If a leaderboard is named: the rank on it, or null without one.
             * @example 4
             */
            readonly rank?: number | null;
            /**
             * @description If a leaderboard is named: the points on it.
             * @example 17
             */
            readonly score?: number;
        };
        readonly FoundUsers: {
            readonly users: readonly components["schemas"]["FoundUser"][];
        };
        readonly UserViewer: {
            /** @description Whether the signed-in user follows this user. */
            readonly follows: boolean;
        };
        readonly UserPageWithOutcome: {
            /** @example 42 */
            readonly id: string;
            /** @example Ada */
            readonly name: string;
            /** @example /avatars/42.svg */
            readonly avatarUrl: string;
            /** @description What the user says of themselves. */
            readonly text: string | null;
            /** Format: date-time */
            readonly joinedAt: string;
            /**
             * @description How many users follow this user.
             * @example 7
             */
            readonly followers: number;
            /**
             * @description How many users this user follows.
             * @example 3
             */
            readonly following: number;
            /** @description The newest articles of this user, ten at most. */
            readonly articles: readonly components["schemas"]["ArticleSummary"][];
            /** @description Of the signed-in reader; null if nobody is signed in. */
            readonly viewer: components["schemas"]["UserViewer"] | null;
            readonly outcome?: components["schemas"]["ClickOutcome"] | null;
        };
        readonly ProfileText: {
            /**
             * @description In one line.
             * @example Writes about sorted sets.
             */
            readonly text: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ProblemFault = components['schemas']['ProblemFault'];
export type ProblemDocument = components['schemas']['ProblemDocument'];
export type RankPeriod = components['schemas']['RankPeriod'];
export type RankLeaderboard = components['schemas']['RankLeaderboard'];
export type RankLeaderboards = components['schemas']['RankLeaderboards'];
export type RankUser = components['schemas']['RankUser'];
export type RankTitle = components['schemas']['RankTitle'];
export type OptionalRankEntry = components['schemas']['OptionalRankEntry'];
export type RankAhead = components['schemas']['RankAhead'];
export type RankTopTen = components['schemas']['RankTopTen'];
export type RankStanding = components['schemas']['RankStanding'];
export type UserStandings = components['schemas']['UserStandings'];
export type RankEntry = components['schemas']['RankEntry'];
export type RankPage = components['schemas']['RankPage'];
export type RankPartition = components['schemas']['RankPartition'];
export type RankPartitions = components['schemas']['RankPartitions'];
export type LookupBody = components['schemas']['LookupBody'];
export type RankAmong = components['schemas']['RankAmong'];
export type RankLookup = components['schemas']['RankLookup'];
export type ActivityRefusal = components['schemas']['ActivityRefusal'];
export type OwnerResult = components['schemas']['OwnerResult'];
export type ActivityResult = components['schemas']['ActivityResult'];
export type ActivityResults = components['schemas']['ActivityResults'];
export type ListedPeriod = components['schemas']['ListedPeriod'];
export type RankPeriods = components['schemas']['RankPeriods'];
export type PeriodPoints = components['schemas']['PeriodPoints'];
export type RankPoints = components['schemas']['RankPoints'];
export type RankHistoryEntry = components['schemas']['RankHistoryEntry'];
export type RankHistory = components['schemas']['RankHistory'];
export type WaitingPeriod = components['schemas']['WaitingPeriod'];
export type LastSettled = components['schemas']['LastSettled'];
export type LeaderboardSettlement = components['schemas']['LeaderboardSettlement'];
export type SettlementAnswer = components['schemas']['SettlementAnswer'];
export type StreamedEntry = components['schemas']['StreamedEntry'];
export type StandingEvent = components['schemas']['StandingEvent'];
export type Overtaker = components['schemas']['Overtaker'];
export type OvertakenEvent = components['schemas']['OvertakenEvent'];
export type AwayEvent = components['schemas']['AwayEvent'];
export type WonBadge = components['schemas']['WonBadge'];
export type WonTitle = components['schemas']['WonTitle'];
export type UserRewards = components['schemas']['UserRewards'];
export type HistoryAdjustment = components['schemas']['HistoryAdjustment'];
export type HistoryDay = components['schemas']['HistoryDay'];
export type PeriodCounts = components['schemas']['PeriodCounts'];
export type HistoryCounts = components['schemas']['HistoryCounts'];
export type HistoryAnswer = components['schemas']['HistoryAnswer'];
export type OwnStanding = components['schemas']['OwnStanding'];
export type TracedRefusal = components['schemas']['TracedRefusal'];
export type BoardEffect = components['schemas']['BoardEffect'];
export type LedgerPageLine = components['schemas']['LedgerPageLine'];
export type LedgerDayAnswer = components['schemas']['LedgerDayAnswer'];
export type UserDataAnswer = components['schemas']['UserDataAnswer'];
export type LimitQuota = components['schemas']['LimitQuota'];
export type QuotaAnswer = components['schemas']['QuotaAnswer'];
export type LedgerPage = components['schemas']['LedgerPage'];
export type RefusalsAnswer = components['schemas']['RefusalsAnswer'];
export type Operation = components['schemas']['Operation'];
export type OperationsAnswer = components['schemas']['OperationsAnswer'];
export type RevaluationReport = components['schemas']['RevaluationReport'];
export type Ring = components['schemas']['Ring'];
export type ReportedRings = components['schemas']['ReportedRings'];
export type SimulatedStanding = components['schemas']['SimulatedStanding'];
export type Simulation = components['schemas']['Simulation'];
export type RulesRefusal = components['schemas']['RulesRefusal'];
export type RulesAnswer = components['schemas']['RulesAnswer'];
export type RuleChange = components['schemas']['RuleChange'];
export type RulesChanged = components['schemas']['RulesChanged'];
export type FilledPeriod = components['schemas']['FilledPeriod'];
export type LiveLeaderboard = components['schemas']['LiveLeaderboard'];
export type LiveLeaderboardsAnswer = components['schemas']['LiveLeaderboardsAnswer'];
export type Adjustment = components['schemas']['Adjustment'];
export type Adjusted = components['schemas']['Adjusted'];
export type TracedAdjustment = components['schemas']['TracedAdjustment'];
export type AdjustmentsAnswer = components['schemas']['AdjustmentsAnswer'];
export type Deletion = components['schemas']['Deletion'];
export type TakenBack = components['schemas']['TakenBack'];
export type DeletionReceipt = components['schemas']['DeletionReceipt'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type Readmission = components['schemas']['Readmission'];
export type ReadmissionAnswer = components['schemas']['ReadmissionAnswer'];
export type Exclusion = components['schemas']['Exclusion'];
export type ExclusionList = components['schemas']['ExclusionList'];
export type ExclusionState = components['schemas']['ExclusionState'];
export type ExclusionOptions = components['schemas']['ExclusionOptions'];
export type Merge = components['schemas']['Merge'];
export type MergeReceipt = components['schemas']['MergeReceipt'];
export type OptOutAnswer = components['schemas']['OptOutAnswer'];
export type HeldActivity = components['schemas']['HeldActivity'];
export type OwnerLoss = components['schemas']['OwnerLoss'];
export type VoidedGifts = components['schemas']['VoidedGifts'];
export type Voided = components['schemas']['Voided'];
export type Review = components['schemas']['Review'];
export type ReviewList = components['schemas']['ReviewList'];
export type HoldOptions = components['schemas']['HoldOptions'];
export type DecisionOptions = components['schemas']['DecisionOptions'];
export type VoidOptions = components['schemas']['VoidOptions'];
export type UserSummary = components['schemas']['UserSummary'];
export type ArticleReview = components['schemas']['ArticleReview'];
export type ArticleSummary = components['schemas']['ArticleSummary'];
export type ArticleList = components['schemas']['ArticleList'];
export type ArticleDraft = components['schemas']['ArticleDraft'];
export type CommentView = components['schemas']['CommentView'];
export type ArticleViewer = components['schemas']['ArticleViewer'];
export type ArticlePage = components['schemas']['ArticlePage'];
export type ClickOutcome = components['schemas']['ClickOutcome'];
export type ArticleWithOutcome = components['schemas']['ArticleWithOutcome'];
export type CommentList = components['schemas']['CommentList'];
export type ArticleText = components['schemas']['ArticleText'];
export type SubmittedArticle = components['schemas']['SubmittedArticle'];
export type Submission = components['schemas']['Submission'];
export type SubmissionList = components['schemas']['SubmissionList'];
export type DecidedSubmission = components['schemas']['DecidedSubmission'];
export type Refusal = components['schemas']['Refusal'];
export type Registration = components['schemas']['Registration'];
export type Session = components['schemas']['Session'];
export type Credentials = components['schemas']['Credentials'];
export type CommentDraft = components['schemas']['CommentDraft'];
export type MadeComment = components['schemas']['MadeComment'];
export type OutcomeAnswer = components['schemas']['OutcomeAnswer'];
export type Followed = components['schemas']['Followed'];
export type NamesWanted = components['schemas']['NamesWanted'];
export type Names = components['schemas']['Names'];
export type PointsOfAction = components['schemas']['PointsOfAction'];
export type PointsList = components['schemas']['PointsList'];
export type FoundUser = components['schemas']['FoundUser'];
export type FoundUsers = components['schemas']['FoundUsers'];
export type UserViewer = components['schemas']['UserViewer'];
export type UserPageWithOutcome = components['schemas']['UserPageWithOutcome'];
export type ProfileText = components['schemas']['ProfileText'];
export type $defs = Record<string, never>;
export interface operations {
    readonly RankController_list: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankLeaderboards"];
                };
            };
        };
    };
    readonly RankController_everywhere: {
        readonly parameters: {
            readonly query?: {
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserStandings"];
                };
            };
        };
    };
    readonly RankController_standings: {
        readonly parameters: {
            readonly query?: {
                /** @description `current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, `2026-Q4`, `2026`, `all`, of a contest or season `2026-11-01--2026-11-30`. */
                readonly period?: string;
                /** @description Of a leaderboard of days, instead of `period`: the first of up to 366 days that are ranked as one. */
                readonly from?: string;
                /** @description The last of these days. Default: today. */
                readonly to?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
                /** @description Whether entries come with their users' titles. */
                readonly titles?: boolean;
                readonly limit?: number;
                /** @description Entries to pass over. Not together with `cursor`. */
                readonly offset?: number;
                /** @description Instead of `offset`: begins with the last entry of at least this percentile. */
                readonly percentile?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
                /** @description Only entries of at least so many points. A `cursor` is followed with the same bounds. */
                readonly minScore?: number;
                /** @description Only entries of at most so many points. */
                readonly maxScore?: number;
                /** @description Whether the page comes with `me`, the line of the user who asks. */
                readonly me?: boolean;
                /** @description From which end entries come, each with its rank. From the worst, page by `offset`: `next` is null. */
                readonly order?: "best" | "worst";
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankPage"];
                };
            };
        };
    };
    readonly RankController_partitions: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
                /** @description As for standings, as long as its boards live in Redis. */
                readonly period?: string;
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankPartitions"];
                };
            };
        };
    };
    readonly RankController_standing: {
        readonly parameters: {
            readonly query?: {
                /** @description `current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, `2026-Q4`, `2026`, `all`, of a contest or season `2026-11-01--2026-11-30`. */
                readonly period?: string;
                /** @description Of a leaderboard of days, instead of `period`: the first of up to 366 days that are ranked as one. */
                readonly from?: string;
                /** @description The last of these days. Default: today. */
                readonly to?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankStanding"];
                };
            };
        };
    };
    readonly RankController_around: {
        readonly parameters: {
            readonly query?: {
                /** @description `current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, `2026-Q4`, `2026`, `all`, of a contest or season `2026-11-01--2026-11-30`. */
                readonly period?: string;
                /** @description Of a leaderboard of days, instead of `period`: the first of up to 366 days that are ranked as one. */
                readonly from?: string;
                /** @description The last of these days. Default: today. */
                readonly to?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
                /** @description Whether entries come with their users' titles. */
                readonly titles?: boolean;
                /** @description Neighbours on each side. */
                readonly radius?: number;
                /** @description Whether the page comes with `me`, the line of the user who asks. */
                readonly me?: boolean;
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankPage"];
                };
            };
        };
    };
    readonly RankController_lookup: {
        readonly parameters: {
            readonly query?: {
                /** @description `current`, `previous` or a key: `2026-11-20`, `2026-W47` (from Sundays `2026-S47`, counted `2026-09-07-W0117`), `2026-11`, `2026-Q4`, `2026`, `all`, of a contest or season `2026-11-01--2026-11-30`. */
                readonly period?: string;
                /** @description Of a leaderboard of days, instead of `period`: the first of up to 366 days that are ranked as one. */
                readonly from?: string;
                /** @description The last of these days. Default: today. */
                readonly to?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
                /** @description Whether entries come with their users' titles. */
                readonly titles?: boolean;
                /** @description Whether entries come in rank order, each user once, with their ranks among one another. */
                readonly among?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly leaderboard: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LookupBody"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankLookup"];
                };
            };
        };
    };
    readonly ActivityController_record: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly events: readonly {
                        readonly userId: string;
                        readonly action: string;
                        readonly subject: string;
                        /** @description Counts once by this id, whatever its date. */
                        readonly id?: string | null;
                        /**
                         * Format: moment
                         * @description RFC 3339, with an offset. Default: now.
                         */
                        readonly occurredAt?: string | null;
                        readonly revoke?: boolean | null;
                        /**
                         * Format: moment
                         * @description RFC 3339, with an offset. Default: now.
                         */
                        readonly grantedAt?: string | null;
                        readonly sequence?: number | null;
                        readonly ownerId?: string | null;
                        /** @description The partitions on which the activity counts, by key. */
                        readonly partitions?: {
                            readonly [key: string]: string;
                        } | null;
                    }[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ActivityResults"];
                };
            };
        };
    };
    readonly PastController_periods: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description The first day. Default: since ever. */
                readonly from?: string;
                /** @description The last day. Default: until now, or as far as there are any. */
                readonly to?: string;
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankPeriods"];
                };
            };
        };
    };
    readonly PastController_points: {
        readonly parameters: {
            readonly query?: {
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description Default: 365 days before `to`. On boards of days at most 366 days, on others at most 3,660. */
                readonly from?: string;
                /** @description Default: today. */
                readonly to?: string;
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankPoints"];
                };
            };
        };
    };
    readonly PastController_history: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RankHistory"];
                };
            };
        };
    };
    readonly SettlementStateController_state: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SettlementAnswer"];
                };
            };
        };
    };
    readonly RankStreamController_stream: {
        readonly parameters: {
            readonly query?: {
                /** @description Which partition of the leaderboard; required if it has partitions. */
                readonly partition?: string;
                /** @description 1234, 1224 or 1223. */
                readonly ranking?: "ordinal" | "competition" | "dense";
                /** @description Whether entries come with their users' titles. */
                readonly titles?: boolean;
                readonly limit?: number;
                /** @description A stream follows the current period. */
                readonly period?: "current";
            };
            readonly header?: {
                /** @description The id of the last `standings` event received. */
                readonly "Last-Event-ID"?: string;
            };
            readonly path: {
                readonly leaderboard: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The stream, which does not end by itself. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
        };
    };
    readonly RewardsController_of: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether the answer has the titles won in the last 12 periods of each leaderboard. */
                readonly titles?: boolean;
            };
            readonly header?: {
                /** @description The ETag of the last answer. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserRewards"];
                };
            };
        };
    };
    readonly AccountController_history: {
        readonly parameters: {
            readonly query?: {
                /** @description At most 31 days up to `to`. Default: all 31. */
                readonly from?: string;
                /** @description Default: today. */
                readonly to?: string;
                /** @description Whether days have the points by the version of the rules that granted them. */
                readonly versions?: boolean;
                /** @description Whether the answer has the counts of the current week, of the current month and of all time. */
                readonly counts?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HistoryAnswer"];
                };
            };
        };
    };
    readonly ErasureController_erase: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
        };
    };
    readonly AccountController_data: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserDataAnswer"];
                };
            };
        };
    };
    readonly AccountController_quota: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the limits that this action is under. Default: all. */
                readonly action?: string;
                /** @description For limits per subject, and of the app's own types. */
                readonly subject?: string;
                /** @description For limits per pair of users: the other one. Default: of a subject `user:42`, that user. */
                readonly ownerId?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuotaAnswer"];
                };
            };
        };
    };
    readonly AccountController_ledger: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: today. */
                readonly date?: string;
                /** @description How many lines at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LedgerPage"];
                };
            };
        };
    };
    readonly AccountController_refusals: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RefusalsAnswer"];
                };
            };
        };
    };
    readonly OperatorsController_operations: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OperationsAnswer"];
                };
            };
        };
    };
    readonly RevaluationsController_revalue: {
        readonly parameters: {
            readonly query?: {
                /** @description The first day, in the time zone of each leaderboard: needed. */
                readonly from?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RevaluationReport"];
                };
            };
        };
    };
    readonly RingsController_rings: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: the first leaderboard that has the period and on which the action counts. */
                readonly leaderboard?: string;
                /** @description As for standings. */
                readonly period?: string;
                /** @description An action whose rule has `grants` to the owner. */
                readonly action?: string;
                /** @description How often each does it to the next, at least. */
                readonly min?: number;
                /** @description How many rings. */
                readonly top?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReportedRings"];
                };
            };
        };
    };
    readonly SimulationsController_simulate: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: the first leaderboard that has the period. */
                readonly leaderboard?: string;
                /** @description As for standings. */
                readonly period?: string;
                /** @description How many users. */
                readonly top?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly rules: readonly ({
                        /** @example praise */
                        readonly action: string;
                        /** @example 2 */
                        readonly points: number;
                        readonly revocable: boolean;
                        readonly during?: readonly {
                            /**
                             * Format: date-time
                             * @example 2026-12-05T00:00:00+08:00
                             */
                            readonly from?: string;
                            /**
                             * Format: date-time
                             * @example 2026-12-07T00:00:00+08:00
                             */
                            readonly until?: string;
                            /** @example 4 */
                            readonly points: number;
                            readonly ownerPoints?: number;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    })[];
                    readonly limits?: readonly ({
                        /** @example daily */
                        readonly type: string;
                        /** @example praise-daily */
                        readonly name?: string;
                    } & {
                        readonly [key: string]: unknown;
                    })[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Simulation"];
                };
            };
        };
    };
    readonly RulesController_read: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RulesAnswer"];
                };
            };
        };
    };
    readonly RulesController_put: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to check the rules only, and to return what would change. */
                readonly dryRun?: boolean;
            };
            readonly header?: {
                /** @description The ETag of the rules that you have read: 412 if others are in force by now. */
                readonly "If-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    readonly rules: readonly ({
                        /** @example praise */
                        readonly action: string;
                        /** @example 2 */
                        readonly points: number;
                        readonly revocable: boolean;
                        readonly during?: readonly {
                            /**
                             * Format: date-time
                             * @example 2026-12-05T00:00:00+08:00
                             */
                            readonly from?: string;
                            /**
                             * Format: date-time
                             * @example 2026-12-07T00:00:00+08:00
                             */
                            readonly until?: string;
                            /** @example 4 */
                            readonly points: number;
                            readonly ownerPoints?: number;
                        }[];
                    } & {
                        readonly [key: string]: unknown;
                    })[];
                    readonly limits?: readonly ({
                        /** @example daily */
                        readonly type: string;
                        /** @example praise-daily */
                        readonly name?: string;
                    } & {
                        readonly [key: string]: unknown;
                    })[];
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RulesChanged"];
                };
            };
        };
    };
    readonly RulesController_withdraw: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The ETag of the rules that you have read: 412 if others are in force by now. */
                readonly "If-Match"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RulesChanged"];
                };
            };
        };
    };
    readonly LeaderboardsController_list: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LiveLeaderboardsAnswer"];
                };
            };
        };
    };
    readonly LeaderboardsController_begin: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": {
                    /** @example spring */
                    readonly name: string;
                    readonly contest?: {
                        /** Format: date */
                        readonly from: string;
                        /** Format: date */
                        readonly to: string;
                    };
                    /**
                     * @example week
                     * @enum {string}
                     */
                    readonly period?: "hour" | "day" | "week" | "month" | "quarter" | "year" | "all";
                    readonly seasons?: readonly string[];
                    readonly rolling?: {
                        readonly days: number;
                        readonly refreshMs?: number;
                    };
                    /** @enum {string} */
                    readonly weekStart?: "monday" | "sunday";
                    /** @enum {string} */
                    readonly visibility?: "all" | "signed-in" | "nobody";
                    readonly actions?: readonly string[];
                    readonly partition?: string;
                    readonly tallies?: readonly string[];
                    readonly where?: readonly {
                        readonly partition: string;
                        readonly only?: readonly string[];
                        readonly except?: readonly string[];
                    }[];
                    /** @enum {integer|null} */
                    readonly floor?: 0 | null;
                    readonly maxPoints?: number | null;
                    readonly latenessMs?: number;
                    readonly retentionMs?: number | null;
                };
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LiveLeaderboardsAnswer"];
                };
            };
        };
    };
    readonly LeaderboardsController_end: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LiveLeaderboardsAnswer"];
                };
            };
        };
    };
    readonly AdjustmentController_latest: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AdjustmentsAnswer"];
                };
            };
        };
    };
    readonly AdjustmentController_adjust: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Adjustment"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Adjusted"];
                };
            };
        };
    };
    readonly DeletionsController_delete: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Deletion"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeletionReceipt"];
                };
            };
        };
    };
    readonly DeletionsController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeletionReceipt"];
                };
            };
        };
    };
    readonly ErasureController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErasureReceipt"];
                };
            };
        };
    };
    readonly ErasureController_readmit: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Readmission"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadmissionAnswer"];
                };
            };
        };
    };
    readonly ExclusionsController_list: {
        readonly parameters: {
            readonly query?: {
                /** @description About how many. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExclusionList"];
                };
            };
        };
    };
    readonly ExclusionsController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExclusionState"];
                };
            };
        };
    };
    readonly ExclusionsController_exclude: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExclusionOptions"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExclusionState"];
                };
            };
        };
    };
    readonly ExclusionsController_include: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExclusionState"];
                };
            };
        };
    };
    readonly MergesController_merge: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Merge"];
            };
        };
        readonly responses: {
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MergeReceipt"];
                };
            };
        };
    };
    readonly MergesController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MergeReceipt"];
                };
            };
        };
    };
    readonly OptOutController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutAnswer"];
                };
            };
        };
    };
    readonly OptOutController_optOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutAnswer"];
                };
            };
        };
    };
    readonly OptOutController_optIn: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly userId: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OptOutAnswer"];
                };
            };
        };
    };
    readonly ReviewsController_list: {
        readonly parameters: {
            readonly query?: {
                /** @description The state of the reviews. */
                readonly state?: "held" | "released" | "voided";
                /** @description Reviews to pass over. */
                readonly offset?: number;
                /** @description How many at most. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReviewList"];
                };
            };
        };
    };
    readonly ReviewsController_hold: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["HoldOptions"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    readonly ReviewsController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    readonly ReviewsController_release: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DecisionOptions"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    readonly ReviewsController_void: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VoidOptions"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    readonly ArticlesController_list: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
                /** @description `draft`: your own. Default: `published`. */
                readonly state?: "published" | "draft";
                /** @description Those of one category alone. */
                readonly category?: "general" | "technology" | "science" | "arts" | "life" | "sports";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticleList"];
                };
            };
        };
    };
    readonly ArticlesController_draft: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ArticleDraft"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticlePage"];
                };
            };
        };
    };
    readonly ArticlesController_page: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticleWithOutcome"];
                };
            };
        };
    };
    readonly ArticlesController_rewrite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ArticleText"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticlePage"];
                };
            };
        };
    };
    readonly ArticlesController_comments: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CommentList"];
                };
            };
        };
    };
    readonly CommentsController_create: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommentDraft"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MadeComment"];
                };
            };
        };
    };
    readonly ArticlesController_publish: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticleWithOutcome"];
                };
            };
        };
    };
    readonly ArticlesController_withdraw: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ArticleWithOutcome"];
                };
            };
        };
    };
    readonly SubmissionsController_list: {
        readonly parameters: {
            readonly query?: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description `next` of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmissionList"];
                };
            };
        };
    };
    readonly SubmissionsController_approve: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DecidedSubmission"];
                };
            };
        };
    };
    readonly SubmissionsController_refuse: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Refusal"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DecidedSubmission"];
                };
            };
        };
    };
    readonly AuthController_register: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Registration"];
            };
        };
        readonly responses: {
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    readonly AuthController_login: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Credentials"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    readonly AuthController_logout: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly CommentsController_delete: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly FollowedController_followed: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Followed"];
                };
            };
        };
    };
    readonly FollowsController_follow: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly FollowsController_unfollow: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly NamesController_find: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NamesWanted"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Names"];
                };
            };
        };
    };
    readonly HealthController_live: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @example ok */
                        readonly status?: string;
                        readonly details?: {
                            readonly [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    readonly HealthController_ready: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @example ok */
                        readonly status?: string;
                        readonly details?: {
                            readonly [key: string]: unknown;
                        };
                    };
                };
            };
        };
    };
    readonly MetricsController_metrics: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly PointsController_list: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PointsList"];
                };
            };
        };
    };
    readonly ReactionsController_praise: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly ReactionsController_unpraise: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly ReactionsController_collect: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly ReactionsController_uncollect: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done; the outcome was asked for. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomeAnswer"];
                };
            };
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly UsersController_search: {
        readonly parameters: {
            readonly query: {
                /** @description How many at most. */
                readonly limit?: number;
                /** @description Any part of the name, in capitals or not. */
                readonly name: string;
                /** @description The leaderboard on which their places are wanted. */
                readonly leaderboard?: string;
                /** @description Its period, as for standings. */
                readonly period?: string;
                /** @description How equal scores are ranked. */
                readonly ranking?: "ordinal" | "competition" | "dense";
                /** @description Its partition; required if it has partitions. */
                readonly partition?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FoundUsers"];
                };
            };
        };
    };
    readonly UsersController_page: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether to wait, for a second at most, and tell what became of the action's points. */
                readonly outcome?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UserPageWithOutcome"];
                };
            };
        };
    };
    readonly ProfileController_describe: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ProfileText"];
            };
        };
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly ProfileController_clear: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Done. */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly AvatarsController_avatar: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly file: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/svg+xml": string;
                };
            };
        };
    };
}
