import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  avatarUrl: string | null;

  @Column('boolean', { default: false })
  isBanned: boolean;
}
