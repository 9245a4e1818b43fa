/** What a person writes of an address. */
export type AddressFields = Readonly<{
  label: string | null;
  streetAddress: string;
  apartment: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
}>;

export type NewAddress = AddressFields & Readonly<{ id: string }>;

/** A saved address (interface.md, Link records). Of an account's addresses at most one is the default. */
export type Address = NewAddress &
  Readonly<{
    isDefault: boolean;
    usageCount: number;
    lastUsedAt: number | null;
    createdAt: number;
    updatedAt: number;
  }>;
