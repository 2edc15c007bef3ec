-- The plan of a call that records: MessagePack of the values below, in this order.
-- @record PLAN
--   .boards          flat, of each board what BOARD lists
--   .groups          flat, of each group what GROUP lists: a group is one day and the set of boards that are open for
--                    it
--   .runs            flat, of each run its group's number and its events, flat, each as EVENT lists; a group's runs
--                    follow one another
--   .daysExpireAtMs  when lists of days expire; 0: never; -1: days are not listed
--   .version         v and the number of the rules' version that grants points here; empty for the first
--   .limits          what LIMITS lists; 0: nothing is limited or counted
--   .firstDays       position of the sorted set of members' first days; 0: none is kept
--   .names           the members' names
--   .mostPoints      no less than all points that the call could add to one entry
--   .nowMs
--   .named           other members whom events name, and keys to list under such names: flat, of each what NAMED lists;
--                    0: none
--   .isPaged         1: events have for field what PAGED of include/pages.lua lists; 0: none has
--   .cold            0: no ledger lies in a cold store; else by member: 1 where all old ledgers are listed, or 0, and
--                    their days, the latest first, below zero where the ledger is not back; and by '' the first day
--                    whose ledgers are all in Redis
--   .standing        JSON of what STANDING lists, of each board; 0 in a call of record-grants.lua
-- @record STANDING
--   .firstDay .lastDay   the days of its period that may have ledgers
--   .beginnings      what the fields begin with that count there; 0: all; 1: ledgers do not tell
--   .name
-- @record BOARD
--   .originMs .tickMs .unit   how points and time are packed: points * unit + unit - 1 - ticks since originMs
--   .lastElapsed     the last tick of the period
--   .expireAtMs      0: never
--   .list .listName  of a partition: position of the sorted set that lists the partitions, and its name there; else
--                    false
--   .isTally         whether the board counts grants instead of points
-- @record GROUP
--   .ledgerExpireAtMs  0: never
--   .dayBoard        number of the day's board; 0: none
--   .boards          how many boards follow the record; here: the list of their numbers
--   .members         of each member of its events the number of the name; 0: all names in their order
--   .day             the day's number
--   .ledgers         of each member the position of the ledger; 0: one after the other from .firstLedger
--   .firstLedger
--   .allBoards       false; here, once boards are found frozen: all boards, while .boards are those that still move
-- @codes EVENT
--   .member          number among the group's members
--   .field .value .points .ms   of a plain grant, the value is the ledger's own text: points, version, `;` and the
--                               moment
--                    only judge-transitions.lua knows other events; see its header
-- @codes OUTCOME
--   .unjudged        the member has days that the caller did not know
--   .granted .revoked .duplicate .limited .notGranted
--   .outOfRange
--   .closed          all boards of its day are frozen
--   .refused         it concerns an erased member, or names one
--   .crowded         what it concerns has pages of which the caller did not know; the detail has the positions of
--                    those ledgers and lists of revokes, as a string, by commas
-- @codes NAMED
--   .event           the event's number
--   .name            of the member
--   .list            position of the sorted set of keys that name the member, see include/naming.lua; 0: not listed
--   .key .expireAtMs  the name of the key to be listed, and when that expires
--   .reply           in a call of plain grants, where the event's reply is
--   .position .field  of that key, and the field that names the member; the field empty: the key's name does
-- Positions of keys count from the end of the boards. What comes flat becomes lists here: unpacked with the plan, short
-- lists would take several times as long.
local plan = cmsgpack.unpack(ARGV[1])
local runs, names, mostPoints = plan[PLAN.runs], plan[PLAN.names], plan[PLAN.mostPoints]
local boards, groups = {}, {}
for at = 1, #plan[PLAN.boards], BOARD.isTally do
  boards[#boards + 1] = { unpack(plan[PLAN.boards], at, at + BOARD.isTally - 1) }
end
local at = 1
while at < #plan[PLAN.groups] do
  local group = { unpack(plan[PLAN.groups], at, at + GROUP.allBoards - 1) }
  local first = at + GROUP.allBoards
  at = first + group[GROUP.boards]
  group[GROUP.boards] = { unpack(plan[PLAN.groups], first, at - 1) }
  groups[#groups + 1] = group
end
local others, marks = #boards, #KEYS - #boards
local replies, r = {}, 0
