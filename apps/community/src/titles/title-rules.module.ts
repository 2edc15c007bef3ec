import {
  BusiestCommenter,
  MostFollowed,
  MostPraised,
  NewcomerOfTheWeek,
  NightOwl,
  SevenDayStreak,
} from '@laurel/activity';
import { Module } from '@nestjs/common';
import { EarlyBird } from './early-bird';

/** The rules that give the community's titles. Each knows its place: nothing but this list names them. */
@Module({
  providers: [BusiestCommenter, EarlyBird, MostFollowed, MostPraised, NewcomerOfTheWeek, NightOwl, SevenDayStreak],
})
export class TitleRulesModule {}
