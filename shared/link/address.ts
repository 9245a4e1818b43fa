/** The fields of an address that the account's owner enters. */
export type AddressFields = Readonly<{
  label: string | null;
  streetAddress: string;
  apartment: string | null;
  city: string | null;
  region: string | null;
  country: string | null;
}>;

export type NewAddress = AddressFields & Readonly<{ id: string }>;

/** A saved address. At most one address of an account is the default. */
export type Address = NewAddress &
  Readonly<{
    isDefault: boolean;
    usageCount: number;
    lastUsedAt: number | null;
    createdAt: number;
    updatedAt: number;
  }>;
