import type { Customer } from "../customers/index.ts";
import type { Person, PersonalDataScope } from "../database/index.ts";
import { ordersOfOwner } from "../orders/index.ts";

/** The customer, as the sections look for what is theirs. */
export const personOf = (
  scope: PersonalDataScope,
  { id, email, phone, emailVerifiedAt, phoneVerifiedAt }: Customer,
): Person => ({
  customerId: id,
  orderIds: ordersOfOwner(scope, {
    customerId: id,
    email: emailVerifiedAt === null ? null : email,
    phone: phoneVerifiedAt === null ? null : phone,
  }),
});
