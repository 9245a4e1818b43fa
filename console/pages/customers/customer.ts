import type { BusinessSchemas } from "@duka/sdk/business";

export type Customer = BusinessSchemas["MerchantCustomer"];
export type CustomerGroup = BusinessSchemas["CustomerGroup"];

/** What to call a customer who may have left no name. */
export const nameOf = ({ name, email, phone, erased_at: erasedAt }: Customer): string =>
  name ?? email ?? phone ?? (erasedAt === null ? "Customer without a name" : "Erased customer");
