import { createMeter, freshCache, type Meter, sha256 } from "../kernel/index.ts";
import type { Business } from "./business.ts";
import { isUseToNote, readKeyText } from "./key.ts";
import type { businessRepo, Keyed } from "./repo.ts";

type Asked = Readonly<{
  /** Opens CORE; round trips behind the answer are not the request's. */
  open: (meter: Meter) => ReturnType<typeof businessRepo>;
  meter: Meter;
  now: number;
  background: (work: Promise<unknown>) => void;
}>;

/**
 * Businesses, and which of them a key serves, remembered by the isolate for at most 5 s: a revoked
 * key or a changed setting is in force everywhere soon after (completions.md 2 allows 10 s).
 */
export function businessDirectory() {
  const keyed = freshCache<Keyed>(1_000);
  const named = freshCache<Business>(1_000);

  return {
    /**
     * Null for what is no key, an unknown one or a revoked one.
     *
     * @param admit throws when the caller may have no key looked up that is not remembered.
     */
    async findByKey(
      keyText: string,
      wantedBusinessId: string | null,
      { open, meter, now, background, admit }: Asked & Readonly<{ admit: () => void }>,
    ): Promise<Keyed | null> {
      if (!readKeyText(keyText)) return null;
      const read = async (on: Meter) => {
        const found = await open(on).findByKey(await sha256(keyText), wantedBusinessId);
        if (found && isUseToNote(found.key, now)) {
          // Behind the answer; a note that is lost is written with the next reading.
          background(
            open(createMeter())
              .noteKeyUse(found.key.id, now)
              .catch(() => {}),
          );
        }
        return found;
      };
      // An empty header wants a business too: what it is told must be nobody else's answer.
      const name = wantedBusinessId === null ? keyText : `${keyText} ${wantedBusinessId}`;
      return keyed.getRenewing(name, now, {
        load: async () => {
          admit();
          return read(meter);
        },
        renew: () => read(createMeter()),
        background,
      });
    },

    /** The business of an id that no key stands for; null for an unknown one. */
    find: (id: string, { open, meter, now, background }: Asked): Promise<Business | null> =>
      named.getRenewing(id, now, {
        load: () => open(meter).find(id),
        renew: () => open(createMeter()).find(id),
        background,
      }),
  };
}
