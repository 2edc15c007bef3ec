import { keys, ledgerStem } from '../../keys/keys';
import { BoardAnswers } from './board-answers';
import type { BoardPeriod, BoardSet, CalendarDay } from '../periods/calendar';
import type { LedgerSettings } from '../model/ledger-options';
import { recordOf } from '../../redis/record-of';
import { scripts } from '../../scripts/scripts.generated';

const { records } = scripts.judgeTransitions;

/** One day and set of boards in a call. The members of its own events are read from each of its boards at once. */
export interface Group {
  /** Its place, from 1, as Lua counts. */
  readonly place: number;
  readonly set: BoardSet;
  readonly open: readonly BoardPeriod[];
  readonly answers: BoardAnswers;
  readonly boardPlaces: readonly number[];
  /** Of the members of its own events, the places of their names in the call. */
  readonly members: number[];
  /** By the place of a member's name in the call, the member's among `members`. */
  readonly memberPlaces: number[];
  /** The ledger's place in KEYS for each of `members`. */
  readonly ledgerPlaces: number[];
}

/** A board of a call: its place from 1, and of a part the place of the key that lists it. */
interface PlannedBoard {
  readonly place: number;
  readonly period: BoardPeriod;
  readonly listPlace: number | null;
}

/** Everything that one script call concerns: boards, days with their ledgers, members, and all keys. */
export class CallGroups {
  /** Every group there is, by its place. */
  readonly groups: Group[] = [];
  /** The keys that are no board's; a place among them counts from 1. */
  readonly otherKeys: string[] = [];
  /** The members' names. */
  readonly names: string[] = [];
  /** Keyed by the periods' keys, as the objects of periods may be made anew at any time. */
  private readonly boards = new Map<string, PlannedBoard>();
  private readonly groupsBySet = new Map<BoardSet, Group | null>();
  private readonly namePlaces = new Map<string, number>();
  /** What the keys of ledgers begin with, of the day whose ledger was named last. */
  private stem = '';
  private stemDay: CalendarDay | null = null;

  constructor(
    private readonly settings: LedgerSettings,
    private readonly shard: number,
    private readonly nowMs: number,
  ) {}

  /** The hash tag of the shard's keys. */
  get tag(): string {
    return this.settings.tags[this.shard] as string;
  }

  /** The boards' periods that the script may change. */
  get periods(): readonly BoardPeriod[] {
    return [...this.boards.values()].map(({ period }) => period);
  }

  /** The boards' keys. */
  get boardKeys(): string[] {
    return [...this.boards.keys()];
  }

  /** The boards as the script reads them: flat. */
  boardArgs(): unknown[] {
    return [...this.boards.values()].flatMap(({ period: { board, score, expireAtMs, partition }, listPlace }) =>
      recordOf(records.board, {
        originMs: score.originMs,
        tickMs: score.tickMs,
        unit: score.unit,
        lastElapsed: Math.floor((score.endMs - 1 - score.originMs) / score.tickMs),
        expireAtMs,
        list: listPlace ?? false,
        listName: listPlace === null ? false : partition,
        isTally: board.tallyOf != null,
      }),
    );
  }

  /** The groups as the script reads them: flat. */
  groupArgs(): unknown[] {
    return this.groups.flatMap(({ set, open, boardPlaces, members, ledgerPlaces }) => {
      const dayBoard = open.findIndex(({ board }) => board.period === 'day');
      const dayPlace = dayBoard < 0 ? 0 : boardPlaces[dayBoard];
      const isAll = members.length === this.names.length && members.every((place, i) => place === i + 1);
      const [first = 0] = ledgerPlaces;
      const ledgers = ledgerPlaces.every((place, i) => place === first + i) ? 0 : ledgerPlaces;
      const record = recordOf(records.group, {
        ledgerExpireAtMs: set.day.ledgerExpireAtMs,
        dayBoard: dayPlace,
        boards: boardPlaces.length,
        members: isAll ? 0 : members,
        day: set.day.number,
        ledgers,
        firstLedger: first,
        allBoards: false,
      });
      return [...record, ...boardPlaces];
    });
  }

  /** The group of a day and its open boards; null where the day is closed: its ledger, or every board. */
  groupOf(set: BoardSet): Group | null {
    const { day } = set;
    const known = this.groupsBySet.get(set);
    if (known !== undefined) return known;
    const open =
      this.nowMs < set.firstClosesAtMs ? set.periods : set.periods.filter((period) => this.nowMs < period.closesAtMs);
    if (open.length === 0 || this.nowMs >= day.ledgerClosesAtMs) {
      this.groupsBySet.set(set, null);
      return null;
    }
    const group: Group = {
      place: this.groups.length + 1,
      set,
      open,
      answers: new BoardAnswers(set, open, this.nowMs),
      boardPlaces: open.map((period) => this.boardPlace(period)),
      members: [],
      memberPlaces: [],
      ledgerPlaces: [],
    };
    this.groups.push(group);
    this.groupsBySet.set(set, group);
    return group;
  }

  /** The place of a member among those of a group, from that of the member's name. */
  memberPlace(group: Group, namePlace: number): number {
    let place = group.memberPlaces[namePlace];
    if (place === undefined) {
      place = group.members.push(namePlace);
      group.ledgerPlaces.push(this.ledgerPlace(group.set.day, this.names[namePlace - 1] as string));
      group.memberPlaces[namePlace] = place;
    }
    return place;
  }

  /** Names another key of the call, and gives its place. */
  keyPlace(key: string): number {
    return this.otherKeys.push(key);
  }

  /** The place of a ledger's key; where days are listed, the key of the member's list follows it. */
  ledgerPlace(day: CalendarDay, member: string): number {
    if (day !== this.stemDay) {
      this.stemDay = day;
      this.stem = ledgerStem(this.settings.prefix, this.tag, day.compactKey);
    }
    const place = this.keyPlace(this.stem + member);
    if (this.settings.indexesDays) this.keyPlace(keys.days(this.settings.prefix, this.tag, member));
    return place;
  }

  /** The place of a member's name: a member that is named again has the same. */
  namePlace(member: string): number {
    let place = this.namePlaces.get(member);
    if (place === undefined) {
      place = this.names.push(member);
      this.namePlaces.set(member, place);
    }
    return place;
  }

  private boardPlace(period: BoardPeriod): number {
    const key = period.keys[this.shard] as string;
    let board = this.boards.get(key);
    if (!board) {
      const listKey = period.listKeys?.[this.shard];
      const listPlace = listKey === undefined ? null : this.keyPlace(listKey);
      board = { place: this.boards.size + 1, period, listPlace };
      this.boards.set(key, board);
    }
    return board.place;
  }
}
