import { businessRepo } from "../../../../shared/businesses/index.ts";
import { openDb } from "../../../../shared/database/index.ts";
import { freshCache, type Meter } from "../../../../shared/kernel/index.ts";
import { chance } from "../../../runtime/runtime.ts";

/** Of all conversations in this isolate, for 5 s: a revoked key is over within 10 s (completions.md 2). */
const standing = freshCache<true>(1_000);

/** Whether the key that opened a socket, known by its digest, was not revoked since; one round trip or none. */
export async function keyStands(
  { CORE }: Readonly<{ CORE: D1Database }>,
  keyHash: string,
  meter: Meter,
): Promise<boolean> {
  const found = await standing.get(keyHash, chance.now(), async () => {
    const keyed = await businessRepo(openDb(CORE, meter)).findByKey(keyHash, null);
    return keyed ? true : null;
  });
  return found !== null;
}
