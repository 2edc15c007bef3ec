import type { ExclusionReason, UserDirectory, UserProfile } from '@laurel/activity';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { User } from './user.entity';

/** What the ranking asks of the app's users; a query a call, whatever the number of users. */
@Injectable()
export class TypeOrmDirectory implements UserDirectory {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  async find(userIds: readonly string[]): Promise<ReadonlyMap<string, UserProfile>> {
    const found = await this.users.findBy({ id: In(userIds) });
    return new Map(found.map(({ id, name, avatarUrl }) => [id, { name, avatarUrl }]));
  }

  async isExcluded(userIds: readonly string[]): Promise<ReadonlyMap<string, ExclusionReason>> {
    const banned = await this.users.find({ select: { id: true }, where: { id: In(userIds), isBanned: true } });
    return new Map(banned.map(({ id }) => [id, 'banned']));
  }

  async erase(userId: string): Promise<Readonly<Record<string, number>>> {
    const { affected } = await this.users.delete(userId);
    return { users: affected ?? 0 };
  }
}
