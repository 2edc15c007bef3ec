CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  password_hash text NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
);
--> statement-breakpoint
CREATE UNIQUE INDEX users_name_key ON users (lower(name));
--> statement-breakpoint
CREATE TABLE articles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  author_id bigint NOT NULL REFERENCES users,
  title text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  published_at timestamptz(3)
);
--> statement-breakpoint
CREATE INDEX articles_published ON articles (published_at DESC, id DESC) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX articles_of_author ON articles (author_id, published_at DESC, id DESC);
--> statement-breakpoint
CREATE TABLE comments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  article_id bigint NOT NULL REFERENCES articles,
  author_id bigint NOT NULL REFERENCES users,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
--> statement-breakpoint
CREATE INDEX comments_of_article ON comments (article_id, id);
--> statement-breakpoint
CREATE INDEX comments_of_author ON comments (author_id, article_id, created_at);
--> statement-breakpoint
CREATE TABLE reactions (
  article_id bigint NOT NULL REFERENCES articles,
  kind text NOT NULL CHECK (kind IN ('praise', 'collect')),
  user_id bigint NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (article_id, kind, user_id)
);
--> statement-breakpoint
CREATE TABLE follows (
  followed_id bigint NOT NULL REFERENCES users,
  follower_id bigint NOT NULL REFERENCES users,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (followed_id, follower_id),
  CHECK (followed_id <> follower_id)
);
--> statement-breakpoint
CREATE INDEX follows_of_follower ON follows (follower_id);
--> statement-breakpoint
-- Orders changes that share a millisecond.
CREATE SEQUENCE change_sequence AS bigint MAXVALUE 9007199254740991;
