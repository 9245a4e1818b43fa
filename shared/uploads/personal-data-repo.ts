import { and, eq, sql } from "drizzle-orm";
import { type PersonalData, reading } from "../database/index.ts";
import { deletedAt } from "./repo.ts";
import { uploads } from "./tables.ts";

export type KeptUpload = Readonly<{
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  createdAt: number;
}>;

/** The files that a customer sent, those of before the login too. Erasure ends them; the sweep removes the bytes and the rows. */
export const uploadPersonalData: PersonalData<KeptUpload[]> = {
  read: ({ db, business }, { customerId }) =>
    reading(
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
      ([kept]) => kept,
    ),
  erase: ({ db, business, now }, { customerId }) => [
    db
      .update(uploads)
      .set({ ...deletedAt(now()), filename: "", customerId: null })
      .where(ofCustomer(business, customerId)),
  ],
};

const ofCustomer = (business: { id: string }, customerId: string) =>
  and(eq(uploads.businessId, business.id), eq(uploads.customerId, customerId));
