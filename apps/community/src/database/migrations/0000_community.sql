-- How a name looks: what shows nothing is left out, what differs in width or composition alone is one, and letters and digits
-- of other scripts that look like Latin ones are those. Of all that may look alike these are the common ones.
CREATE FUNCTION name_look(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT lower(translate(
    btrim(regexp_replace(regexp_replace(normalize(name, NFKC),
      '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFF8\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]', '', 'g'),
      '\s+', ' ', 'g')),
    'аеорсухѕіјԁһѵԛԝӏүԍАВЕКМНОРСТУХЅІЈԌԚԜѴҮӀαοινρυγσΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսհոցզıɩɑɡI|01',
    'aeopcyxsijdhvqwlygabekmhopctyxsljgqwvylaoivpuyoabezhlkmnoptyxouhngqiiagllol'))
$$;
--> statement-breakpoint
CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 40),
  password_hash text NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  look text NOT NULL,
  -- What users say of themselves, in a line, beside their names.
  text text
);
--> statement-breakpoint
CREATE UNIQUE INDEX users_name_key ON users (lower(name));
--> statement-breakpoint
CREATE UNIQUE INDEX users_look_key ON users (look);
--> statement-breakpoint
-- For finding users by how their names begin.
CREATE INDEX users_name_beginning ON users (lower(name) text_pattern_ops);
--> statement-breakpoint
-- People are found by any part of their names. Where the database's owner may not add the extension, or the server has none, they
-- are found all the same, by reading every name.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX users_name_parts ON users USING gin (lower(name) gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file OR undefined_object THEN
  RAISE NOTICE 'pg_trgm is not there: people are found by reading every name';
END
$$;
--> statement-breakpoint
CREATE TABLE articles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  author_id bigint NOT NULL REFERENCES users,
  title text NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  published_at timestamptz(3),
  -- What it is about. Which categories there are is for the app to know: another one needs no migration.
  category text NOT NULL DEFAULT 'general'
);
--> statement-breakpoint
CREATE INDEX articles_published ON articles (published_at DESC, id DESC) WHERE published_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX articles_of_author ON articles (author_id, published_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX articles_of_category ON articles (category, published_at DESC, id DESC) WHERE published_at IS NOT NULL;
--> statement-breakpoint
-- Articles that were handed in to be reviewed; an erasure takes them with their article.
CREATE TABLE submissions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  article_id bigint NOT NULL REFERENCES articles ON DELETE CASCADE,
  submitted_at timestamptz(3) NOT NULL,
  -- Null: it waits.
  decision text CHECK (decision IN ('approved', 'refused')),
  decided_at timestamptz(3),
  -- Why it was refused.
  reason text,
  CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CHECK ((reason IS NOT NULL) = (decision IS NOT DISTINCT FROM 'refused'))
);
--> statement-breakpoint
CREATE INDEX submissions_of_article ON submissions (article_id, id DESC);
--> statement-breakpoint
-- At most one of an article waits.
CREATE UNIQUE INDEX submissions_waiting_of_article ON submissions (article_id) WHERE decision IS NULL;
--> statement-breakpoint
CREATE INDEX submissions_waiting ON submissions (submitted_at, id) WHERE decision IS NULL;
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
