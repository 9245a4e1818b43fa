import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { Address, AddressFields, NewAddress } from "./address.ts";
import type { AccountContext } from "./context.ts";
import { addressLimitRefusal, savedRecordQueries } from "./saved-record-repo.ts";
import { linkAddresses } from "./tables.ts";

/** A change to an address. Undefined fields keep their stored value. */
export type AddressPatch = Readonly<{
  [field in keyof AddressFields]?: AddressFields[field] | undefined;
}>;

/** An account's addresses. Each async method is one round trip. */
export function addressRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const records = savedRecordQueries(ctx, linkAddresses);
  const selectById = (id: string) => db.select().from(linkAddresses).where(records.withId(id));

  /** A statement that inserts the address if `condition` holds. */
  const insert = (
    { id, ...fields }: NewAddress,
    { now, condition, isDefault }: { now: number; condition: SQL; isDefault: SQL },
  ) => {
    const { label, streetAddress, apartment, city, region, country } = fields;
    return db.insert(linkAddresses).select(sql`
      select ${id}, ${accountId}, ${label}, ${streetAddress}, ${apartment}, ${city}, ${region},
        ${country}, ${isDefault}, 0, null, ${now}, ${now} where ${condition}`);
  };

  return {
    insert,
    selectById,
    hasDefault: records.hasDefault,

    /** A statement that selects all addresses, the oldest first. */
    selectAll: () => db.select().from(linkAddresses).where(records.own).orderBy(linkAddresses.id),

    async list(): Promise<Address[]> {
      const [rows] = await db.batch([this.selectAll()]);
      return rows.map(toAddress);
    },

    /** The first address of an account becomes the default. @throws Refusal ADDRESS_LIMIT. */
    async add(address: NewAddress, now: number): Promise<Address> {
      const options = {
        now,
        condition: records.isBelowLimit,
        isDefault: sql`not ${records.hasDefault}`,
      };
      const [, [row]] = await db.batch([insert(address, options), selectById(address.id)]);
      if (!row) throw addressLimitRefusal();
      return toAddress(row);
    },

    async update(id: string, patch: AddressPatch, now: number): Promise<Address> {
      const [, [row]] = await db.batch([
        db
          .update(linkAddresses)
          .set({ ...patch, updatedAt: now })
          .where(records.withId(id)),
        selectById(id),
      ]);
      return requireAddress(row);
    },

    async makeDefault(id: string): Promise<Address> {
      const [, , [row]] = await db.batch([...records.makeDefault(id), selectById(id)]);
      return requireAddress(row);
    },

    async countUse(id: string, now: number): Promise<Address> {
      const [, [row]] = await db.batch([records.countUse(id, now), selectById(id)]);
      return requireAddress(row);
    },

    async remove(id: string): Promise<void> {
      const [asDefault, , removed] = await db.batch(records.remove(id));
      if (asDefault.length + removed.length === 0) throw notFound("address");
    },
  };
}

type AddressRow = typeof linkAddresses.$inferSelect;

function requireAddress(row: AddressRow | undefined): Address {
  if (!row) throw notFound("address");
  return toAddress(row);
}

export const toAddress = ({ accountId: _, ...address }: AddressRow): Address => address;
