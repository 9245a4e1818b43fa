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

/** The slug itself while nobody has it, else the first free one of `-2`, `-3` … */
export function freeSlug(slug: string, taken: readonly string[]): string {
  const known = new Set(taken);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? slug : `${slug}-${number}`;
    if (!known.has(candidate)) return candidate;
  }
}
