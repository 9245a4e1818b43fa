/** The releases of the protocol that are served, the newest first (docs/agents.md#releases). */
export const releases = ["2026-08-25", "2026-04-08"] as const;
export type Release = (typeof releases)[number];

export const newestRelease: Release = releases[0];

/** The release with this name; null when it is not served. */
export const parseRelease = (text: string): Release | null =>
  releases.find((release) => release === text) ?? null;
