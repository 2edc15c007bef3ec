-- What an article is about. Which categories there are is for the app to know: another one needs no migration. Articles that
-- were there before, and those of the version before, which names none, are of the default.
ALTER TABLE articles ADD COLUMN category text NOT NULL DEFAULT 'general';
--> statement-breakpoint
CREATE INDEX articles_of_category ON articles (category, published_at DESC, id DESC) WHERE published_at IS NOT NULL;
