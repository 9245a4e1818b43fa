import { freshCache, type Meter, newMeter, sha256 } from "../kernel/index.ts";
import { readKeyText } from "./key.ts";
import type { businessRepo, Keyed } from "./repo.ts";

type Asked = Readonly<{
  /** Opens CORE; round trips behind the answer are not the request's. */
  open: (meter: Meter) => ReturnType<typeof businessRepo>;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
}>;

/**
 * Which business a key serves, remembered by the isolate for at most 5 s: a revoked key or a
 * changed setting is in force everywhere soon after (completions.md 2 allows 10 s).
 */
export function businessDirectory() {
  const keyed = freshCache<Keyed>(1_000);

  return {
    /** Null for what is no key, an unknown one or a revoked one. */
    async findByKey(
      keyText: string,
      wantedBusinessId: string | null,
      { open, meter, now, background }: Asked,
    ): Promise<Keyed | null> {
      if (!readKeyText(keyText)) return null;
      const read = async (on: Meter) => open(on).findByKey(await sha256(keyText), wantedBusinessId);
      return keyed.getRenewing(`${keyText} ${wantedBusinessId ?? ""}`, now, {
        load: () => read(meter),
        renew: () => read(newMeter()),
        background,
      });
    },
  };
}

export type BusinessDirectory = ReturnType<typeof businessDirectory>;
