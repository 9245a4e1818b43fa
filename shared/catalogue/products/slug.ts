const maxLength = 180;

/** A slug made from a name: accents dropped, everything else than letters and digits a hyphen. */
export function slugFrom(name: string, fallback: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, "");
  return words || fallback;
}

/** So many records of one name are told apart by a number, so that as many slugs are looked up at most. */
const numbered = 100;

/** The slug itself, and `-2`, `-3` …: what a record that is called so may be given. */
export const namesakes = (slug: string): readonly string[] =>
  Array.from({ length: numbered }, (_, at) => (at === 0 ? slug : `${slug}-${at + 1}`));

/** The first of the slug's namesakes that nobody has; once all are taken, a part of the record's id follows. */
export function freeSlug(slug: string, taken: readonly string[], id: string): string {
  const known = new Set(taken);
  return (
    namesakes(slug).find((candidate) => !known.has(candidate)) ?? `${slug}-${id.slice(-idDigits)}`
  );
}

/** 50 random bits of a TypeID. */
const idDigits = 10;
