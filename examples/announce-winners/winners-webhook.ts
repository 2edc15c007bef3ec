import { type LeaderboardSettledEvent, SettledListener } from '@laurel/activity';
import { Injectable } from '@nestjs/common';

/** Tells a channel of Discord who has won; Slack takes `text` instead of `content`. */
@Injectable()
export class WinnersWebhook {
  /** Called again, with the same id, until it resolves once: so a receiver that knows the id announces nothing twice. */
  @SettledListener('webhook')
  async announce({ id, leaderboard, period, winners }: LeaderboardSettledEvent, signal: AbortSignal): Promise<void> {
    if (winners.length === 0) return;
    const lines = winners.map(({ place, userId, score }) => `${place}. ${userId}: ${score}`);
    const response = await fetch(process.env.WEBHOOK_URL ?? '', {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', 'idempotency-key': id },
      body: JSON.stringify({ content: [`${leaderboard} ${period}`, ...lines].join('\n') }),
    });
    if (!response.ok) throw new Error(`The webhook answered ${response.status}.`);
  }
}
