import { and, eq, sql } from "drizzle-orm";
import { batchedRead, type PersonalData } from "../database/index.ts";
import { uploads } from "./tables.ts";
import { deletionFields } from "./upload-repo.ts";

export type ExportedUpload = Readonly<{
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  createdAt: number;
}>;

/**
 * A customer's uploads. An erasure marks them as deleted. The purge job removes their bytes and
 * rows.
 */
export const uploadPersonalData: PersonalData<ExportedUpload[]> = {
  read: ({ db, business }, { customerId }) =>
    batchedRead(
      [
        db
          .select({
            id: uploads.id,
            filename: uploads.filename,
            contentType: uploads.contentType,
            sizeBytes: uploads.sizeBytes,
            createdAt: uploads.createdAt,
          })
          .from(uploads)
          .where(and(ofCustomer(business, customerId), sql`${uploads.deletedAt} is null`)),
      ],
      ([rows]) => rows,
    ),
  erase: ({ db, business, now }, { customerId }) => [
    db
      .update(uploads)
      .set({ ...deletionFields(now()), filename: "", customerId: null })
      .where(ofCustomer(business, customerId)),
  ],
};

const ofCustomer = (business: { id: string }, customerId: string) =>
  and(eq(uploads.businessId, business.id), eq(uploads.customerId, customerId));
