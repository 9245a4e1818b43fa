import { type SQL, sql } from "drizzle-orm";
import { notFound } from "../kernel/index.ts";
import type { Address, AddressFields, NewAddress } from "./address.ts";
import type { AccountContext } from "./context.ts";
import { addressLimit, savedRecords } from "./saved-record-repo.ts";
import { linkAddresses } from "./tables.ts";

const t = linkAddresses;

/** What an address is changed to; undefined leaves a field as it is. */
export type AddressPatch = Readonly<{
  [field in keyof AddressFields]?: AddressFields[field] | undefined;
}>;

/** An account's addresses (interface.md, Link API); each call is one round trip, another's is NOT_FOUND. */
export function addressRepo(ctx: Pick<AccountContext, "db" | "accountId">) {
  const { db, accountId } = ctx;
  const records = savedRecords(ctx, t);
  const read = (id: string) => db.select().from(t).where(records.one(id));

  /** A statement for the batch of whoever saves it: only when `condition` holds. */
  const insert = (
    { id, ...fields }: NewAddress,
    { now, condition, isDefault }: { now: number; condition: SQL; isDefault: SQL },
  ) => {
    const { label, streetAddress, apartment, city, region, country } = fields;
    return db.insert(t).select(sql`
      select ${id}, ${accountId}, ${label}, ${streetAddress}, ${apartment}, ${city}, ${region},
        ${country}, ${isDefault}, 0, null, ${now}, ${now} where ${condition}`);
  };

  return {
    insert,
    hasDefault: records.hasDefault,

    /** A statement for a batch: in the order in which they were saved. */
    all: () => db.select().from(t).where(records.own).orderBy(t.id),

    async list(): Promise<Address[]> {
      const [rows] = await db.batch([this.all()]);
      return rows.map(addressFromRow);
    },

    /** The first is the default. @throws Refusal ADDRESS_LIMIT. */
    async add(address: NewAddress, now: number): Promise<Address> {
      const terms = { now, condition: records.hasRoom, isDefault: sql`not ${records.hasDefault}` };
      const [, [row]] = await db.batch([insert(address, terms), read(address.id)]);
      if (!row) throw addressLimit();
      return addressFromRow(row);
    },

    async update(id: string, patch: AddressPatch, now: number): Promise<Address> {
      const [, [row]] = await db.batch([
        db
          .update(t)
          .set({ ...patch, updatedAt: now })
          .where(records.one(id)),
        read(id),
      ]);
      return found(row);
    },

    async makeDefault(id: string): Promise<Address> {
      const [, , [row]] = await db.batch([...records.makeDefault(id), read(id)]);
      return found(row);
    },

    async countUse(id: string, now: number): Promise<Address> {
      const [, [row]] = await db.batch([records.countUse(id, now), read(id)]);
      return found(row);
    },

    async remove(id: string): Promise<void> {
      const [asDefault, , removed] = await db.batch(records.remove(id));
      if (asDefault.length + removed.length === 0) throw notFound("address");
    },
  };
}

type Row = typeof linkAddresses.$inferSelect;

function found(row: Row | undefined): Address {
  if (!row) throw notFound("address");
  return addressFromRow(row);
}

export const addressFromRow = ({ accountId: _, ...address }: Row): Address => address;
