import type { Db } from "../../database/index.ts";
import type { Runtime } from "../../kernel/index.ts";
import { unavailable } from "../../kernel/index.ts";
import { dataKeyRepo } from "./account-repo.ts";
import { type Keyring, rewrapDataKey, UnreadableCredentials } from "./credentials.ts";

const keysPerStep = 100;

/** What one step of a rotation did. */
export type RotationStep = Readonly<{
  /** The id of the newest key of CREDENTIALS_KEY. */
  keyId: string;
  rewrapped: number;
  /** Businesses whose data key does not open. */
  failed: readonly string[];
  /** Where the next step begins; null after the last one. */
  next: string | null;
  /** Keys that still wrap data keys, with the number of these. */
  remaining: readonly Readonly<{ keyId: string; businesses: number; isKnown: boolean }>[];
}>;

/**
 * Wraps some data keys again with the newest key of CREDENTIALS_KEY. The credentials stay as they
 * are, and both keys open them meanwhile. Safe to repeat and to run beside itself.
 *
 * @throws Refusal SERVICE_UNAVAILABLE without CREDENTIALS_KEY.
 */
export async function rotateDataKeys(
  { core, keyring, now, randomBytes }: Runtime & Readonly<{ core: Db; keyring: Keyring }>,
  after: string,
): Promise<RotationStep> {
  const [newest, ...older] = keyring;
  if (!newest) throw unavailable("This deployment has no CREDENTIALS_KEY.");
  const repo = dataKeyRepo(core);
  const page = await repo.listWrappedBy(
    older.map(({ id }) => id),
    { after, limit: keysPerStep },
  );
  const results = await Promise.all(
    page.map(async ({ businessId, dataKey: earlier }) => {
      const dataKey = await tryRewrap(earlier, businessId, { keyring, randomBytes });
      return { businessId, earlier, dataKey };
    }),
  );
  const changes = results.flatMap(({ dataKey, ...one }) => (dataKey ? [{ ...one, dataKey }] : []));
  await repo.replace(changes, now());
  const remaining = await repo.countByOtherKey(newest.id);
  const last = page.at(-1);
  return {
    keyId: newest.id,
    rewrapped: changes.length,
    failed: results.flatMap(({ businessId, dataKey }) => (dataKey ? [] : [businessId])),
    next: last && page.length === keysPerStep ? last.businessId : null,
    remaining: remaining.map((one) => ({
      ...one,
      isKnown: older.some(({ id }) => id === one.keyId),
    })),
  };
}

async function tryRewrap(...args: Parameters<typeof rewrapDataKey>) {
  try {
    return await rewrapDataKey(...args);
  } catch (error) {
    if (error instanceof UnreadableCredentials) return null;
    throw error;
  }
}
