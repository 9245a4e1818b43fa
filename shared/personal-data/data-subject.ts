import type { Contact, Customer } from "../customers/index.ts";
import type { DataSubject, PersonalDataContext } from "../database/index.ts";
import { orderIdsOfCustomer } from "../orders/index.ts";

/**
 * The customer whose personal data are exported or erased. Only verified contacts are included,
 * because an unverified contact may be another person's.
 */
export const dataSubjectOf = (
  ctx: PersonalDataContext,
  { id, email, phone, emailVerifiedAt, phoneVerifiedAt }: Customer,
): DataSubject => ({
  customerId: id,
  orderIds: orderIdsOfCustomer(ctx, {
    customerId: id,
    email: emailVerifiedAt === null ? null : email,
    phone: phoneVerifiedAt === null ? null : phone,
  }),
});

/** The contacts from which only the customer can have logged in. */
export const verifiedContactsOf = (customer: Customer): Contact[] => {
  const { email, phone, emailVerifiedAt, phoneVerifiedAt } = customer;
  return [
    ...(email === null || emailVerifiedAt === null
      ? []
      : [{ type: "email", value: email } as const]),
    ...(phone === null || phoneVerifiedAt === null
      ? []
      : [{ type: "phone", value: phone } as const]),
  ];
};
