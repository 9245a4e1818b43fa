import { dealPersonalData } from "../deals/index.ts";
import { linkPersonalData } from "../link/index.ts";
import { orderPersonalData } from "../orders/index.ts";
import { paymentPersonalData } from "../payments/index.ts";
import { bookingPersonalData } from "../scheduling/index.ts";
import { subscriptionPersonalData } from "../subscriptions/index.ts";
import { supportPersonalData } from "../support/index.ts";
import { uploadPersonalData } from "../uploads/index.ts";

/**
 * What is kept of a customer besides the customer's own row: one line for each area that keeps
 * anything. Exports show it under this name, erasure blanks it.
 */
export const sections = {
  orders: orderPersonalData,
  bookings: bookingPersonalData,
  mobileMoneyNumbers: paymentPersonalData,
  dealUses: dealPersonalData,
  subscriptions: subscriptionPersonalData,
  uploads: uploadPersonalData,
  linkedOrders: linkPersonalData,
  supportConversations: supportPersonalData,
} as const;

type Sections = typeof sections;

/** What each section reads, under its name. */
export type SectionData = {
  [Name in keyof Sections]: ReturnType<ReturnType<Sections[Name]["read"]>["show"]>;
};
