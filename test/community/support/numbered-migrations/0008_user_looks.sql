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
-- Null: written by the version before, or looks like the name of somebody who was here first.
ALTER TABLE users ADD COLUMN look text;
--> statement-breakpoint
UPDATE users SET look = first.look
FROM (SELECT DISTINCT ON (name_look(name)) id, name_look(name) AS look FROM users ORDER BY name_look(name), id) first
WHERE users.id = first.id;
--> statement-breakpoint
CREATE UNIQUE INDEX users_look_key ON users (look);
