import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import type { ExportedPersonalData } from "../../../../shared/personal-data/index.ts";
import type { ConversationPage } from "../../../runtime/objects/conversation-object.ts";
import type { PublicAddress } from "../../../wire/fields.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import { ConversationPageView, viewConversationPage } from "../conversation.ts";
import { MessageView, viewOwnMessage } from "../settings/message.ts";
import { MerchantCustomerView, viewMerchantCustomer } from "./customer.ts";
import { NoteView, viewNote } from "./note.ts";
import { MerchantOrderView, viewMerchantOrder } from "./order.ts";

/** The exported personal data. The compiler checks that no section is missing. */
export const PersonalDataView = z
  .object({
    customer: MerchantCustomerView,
    orders: z.array(MerchantOrderView),
    bookings: z.array(BookingView),
    mobile_money_numbers: z.array(
      z.object({ order_id: z.string(), phone_number: z.string().nullable() }),
    ),
    deal_uses: z.array(
      z.object({ deal_id: z.string(), order_id: z.string(), redeemed_at: z.string() }),
    ),
    customer_groups: z.array(z.object({ id: z.string(), name: z.string(), added_at: z.string() })),
    subscriptions: z.array(
      z.object({
        id: z.string(),
        plan: z.string(),
        products: z.array(z.string()),
        mobile_money_number: z.string().nullable(),
        started_at: z.string(),
        cancelled_at: z.string().nullable(),
        cancellation_reason: z.string().nullable(),
      }),
    ),
    uploads: z.array(
      z.object({
        id: z.string(),
        filename: z.string(),
        content_type: z.string(),
        size_bytes: z.number().int(),
        created_at: z.string(),
      }),
    ),
    notes: z.array(NoteView.extend({ subject_id: z.string() })),
    messages: z.array(MessageView),
    linked_orders: z.array(
      z.object({ order_id: z.string(), account_id: z.string(), linked_at: z.string() }),
    ),
    support_conversations: z.array(ConversationPageView),
  })
  .openapi("PersonalData");

type PersonalDataOptions = Readonly<{
  /** The transcripts of the support conversations in the data. */
  conversations: readonly ConversationPage[];
  address: PublicAddress;
}>;

export function viewPersonalData(
  {
    customer,
    orders,
    bookings,
    mobileMoneyNumbers,
    dealUses,
    customerGroups,
    subscriptions,
    uploads,
    notes,
    messages,
    linkedOrders,
    supportConversations: _,
    ...unmapped
  }: ExportedPersonalData,
  { conversations, address }: PersonalDataOptions,
): z.infer<typeof PersonalDataView> {
  unmapped satisfies Record<string, never>;
  return {
    customer: viewMerchantCustomer(customer),
    orders: orders.map((order) => viewMerchantOrder(order, address)),
    bookings: bookings.map(viewBooking),
    mobile_money_numbers: mobileMoneyNumbers.map(({ orderId, phoneNumber }) => ({
      order_id: orderId,
      phone_number: phoneNumber,
    })),
    deal_uses: dealUses.map(({ dealId, orderId, redeemedAt }) => ({
      deal_id: dealId,
      order_id: orderId,
      redeemed_at: iso(redeemedAt),
    })),
    customer_groups: customerGroups.map(({ groupId, name, addedAt }) => ({
      id: groupId,
      name,
      added_at: iso(addedAt),
    })),
    subscriptions: subscriptions.map(({ subscription, phoneNumber }) => ({
      id: subscription.id,
      plan: subscription.plan.name,
      products: subscription.items.map(({ productName }) => productName),
      mobile_money_number: phoneNumber,
      started_at: iso(subscription.startedAt),
      cancelled_at: isoOrNull(subscription.cancelledAt),
      cancellation_reason: subscription.cancellationReason,
    })),
    uploads: uploads.map(({ id, filename, contentType, sizeBytes, createdAt }) => ({
      id,
      filename,
      content_type: contentType,
      size_bytes: sizeBytes,
      created_at: iso(createdAt),
    })),
    notes: notes.map((note) => ({ ...viewNote(note), subject_id: note.subjectId })),
    messages: messages.map(viewOwnMessage),
    linked_orders: linkedOrders.map(({ orderId, accountId, linkedAt }) => ({
      order_id: orderId,
      account_id: accountId,
      linked_at: iso(linkedAt),
    })),
    support_conversations: conversations.map(viewConversationPage),
  };
}
