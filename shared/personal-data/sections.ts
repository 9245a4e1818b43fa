import { customerGroupPersonalData } from "../customers/index.ts";
import { dealPersonalData } from "../deals/index.ts";
import { linkPersonalData } from "../link/index.ts";
import { messagePersonalData } from "../messages/index.ts";
import { notePersonalData } from "../notes/index.ts";
import { orderPersonalData } from "../orders/index.ts";
import { paymentPersonalData } from "../payments/index.ts";
import { bookingPersonalData } from "../scheduling/index.ts";
import { subscriptionPersonalData } from "../subscriptions/index.ts";
import { supportPersonalData } from "../support/index.ts";
import { uploadPersonalData } from "../uploads/index.ts";

/**
 * The personal data of each area, in addition to the customer's own row. An export uses these names
 * as keys. An erasure erases every section.
 */
export const sections = {
  orders: orderPersonalData,
  bookings: bookingPersonalData,
  mobileMoneyNumbers: paymentPersonalData,
  dealUses: dealPersonalData,
  customerGroups: customerGroupPersonalData,
  subscriptions: subscriptionPersonalData,
  uploads: uploadPersonalData,
  notes: notePersonalData,
  messages: messagePersonalData,
  linkedOrders: linkPersonalData,
  supportConversations: supportPersonalData,
} as const;

type Sections = typeof sections;

/** The exported value of each section. */
export type SectionData = {
  [Name in keyof Sections]: ReturnType<ReturnType<Sections[Name]["read"]>["parse"]>;
};
