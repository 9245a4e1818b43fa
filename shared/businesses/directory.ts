import { freshCache, sha256 } from "../kernel/index.ts";
import type { Business } from "./business.ts";
import { readKeyText } from "./key.ts";
import type { businessRepo, Keyed } from "./repo.ts";

type Repo = ReturnType<typeof businessRepo>;

/**
 * Which business a key serves, remembered by the isolate for at most 5 s: a revoked key or a
 * changed setting is in force everywhere soon after (completions.md 2 allows 10 s).
 */
export function businessDirectory() {
  const keyed = freshCache<Keyed>(1_000);
  const known = freshCache<Business>(1_000);

  return {
    /** Null for what is no key, an unknown one or a revoked one. */
    async findByKey(
      keyText: string,
      wantedBusinessId: string | null,
      {
        repo,
        now,
        background,
      }: { repo: Repo; now: number; background: (work: Promise<unknown>) => void },
    ): Promise<Keyed | null> {
      if (!readKeyText(keyText)) return null;
      const load = async () => repo.findByKey(await sha256(keyText), wantedBusinessId);
      return keyed.getRenewing(`${keyText} ${wantedBusinessId ?? ""}`, now, load, background);
    },

    find: (id: string, { repo, now }: { repo: Repo; now: number }): Promise<Business | null> =>
      known.get(id, now, () => repo.find(id)),
  };
}

export type BusinessDirectory = ReturnType<typeof businessDirectory>;
