import { type Change, type Context, commit, type Write } from "../database/index.ts";
import { conflict, nextUpdate } from "../kernel/index.ts";
import { raiseVersion } from "./product-repo.ts";
import { retryRaces } from "./products/retry-races.ts";

/** For `commit`: the refusal of a write that `changedSince` guards; on a new read it may succeed. */
export const changedMeanwhile = (table: string, noun: string): NonNullable<Change["refusals"]> => ({
  [`${table}.updated_at`]: () =>
    conflict(`The ${noun} changed meanwhile; try again.`, { retryable: true }),
});

type Archivable = Readonly<{ updatedAt: number; archivedAt: number | null }>;

type Archiving<R> = Readonly<{
  repo: Readonly<{
    getEvenArchived: (id: string) => Promise<R>;
    archive: (record: R, at: number) => Write;
  }>;
  /** The audit entry's action. */
  action: string;
  /** The audit entry's account of what was there. */
  before: (record: R) => object;
  refusals: Change["refusals"];
}>;

/**
 * Archives a merchant's record for good, under the catalogue's next version; done twice it is done
 * once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveRecord<R extends Archivable>(
  ctx: Context,
  id: string,
  { repo, action, before, refusals }: Archiving<R>,
): Promise<R> {
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.archivedAt !== null) return record;
    const archivedAt = nextUpdate(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.archive(record, archivedAt), raiseVersion(ctx)],
      audit: [{ action, entity: id, before: before(record) }],
      refusals: refusals ?? {},
    });
    return { ...record, updatedAt: archivedAt, archivedAt };
  });
}
