import { freshCache } from "../kernel/index.ts";

export type VersionMemory = ReturnType<typeof versionMemory>;

/**
 * The catalogue versions that an isolate knows, each for at most 5 s. Everything that answers from
 * memory shares one, so that a cart and a list agree on which products are current.
 */
export function versionMemory() {
  const known = freshCache<number>(10_000);
  const newest = (businessId: string, now: number, version: number) =>
    Math.max(version, known.peek(businessId, now) ?? 0);

  return {
    /** The version, when it was read within the last 5 s. */
    peek: (businessId: string, now: number): number | undefined => known.peek(businessId, now),

    /** Remembers what was read at `now`; a slow read never takes a newer version back. */
    learn: (businessId: string, now: number, version: number): void =>
      known.put(businessId, now, newest(businessId, now, version)),

    /** As `peek`, and reads an ageing version anew behind the answer. */
    async current(
      businessId: string,
      now: number,
      read: () => Promise<number>,
      background: (work: Promise<unknown>) => void,
    ): Promise<number | undefined> {
      if (known.peek(businessId, now) === undefined) return undefined;
      const load = async () => newest(businessId, now, await read());
      const how = { load, renew: load, background };
      return (await known.getRenewing(businessId, now, how)) ?? undefined;
    },
  };
}
