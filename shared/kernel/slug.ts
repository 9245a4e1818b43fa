const maxSlugCharacters = 180;

/** Records with the same name get the slugs `-2`, `-3` … up to this number. */
const maxNumberedSlugs = 100;

/** The number of id characters in a slug. Ten characters of a TypeID are 50 random bits. */
const idSuffixCharacters = 10;

/**
 * A slug from a name. Accents are removed, and characters other than letters and digits become
 * hyphens.
 */
export function slugify(name: string, fallback: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlugCharacters)
    .replace(/^-+|-+$/g, "");
  return words || fallback;
}

/** The requested slug, or one made from the name. Another record may already use it. */
export const slugOrDefault = (
  { slug, name }: Readonly<{ slug: string | null; name: string }>,
  fallback: string,
): string => slug ?? slugify(name, fallback);

/** The slugs that a record of this name may get: the slug itself, then `-2`, `-3` and so on. */
export const slugCandidates = (slug: string): readonly string[] =>
  Array.from({ length: maxNumberedSlugs }, (_, index) =>
    index === 0 ? slug : `${slug}-${index + 1}`,
  );

/** The first candidate that is not taken, or the slug with the end of the record's id. */
export function freeSlug(slug: string, takenSlugs: readonly string[], id: string): string {
  const taken = new Set(takenSlugs);
  return (
    slugCandidates(slug).find((candidate) => !taken.has(candidate)) ??
    `${slug}-${id.slice(-idSuffixCharacters)}`
  );
}
