export type { OrderAgent } from "./agents/agent-order.ts";
export { type AgentOrderDetails, findOrdersForAgents } from "./agents/agent-orders-query.ts";
export { insertAgentOrder } from "./agents/repo.ts";
export { addOrderNote, listOrderNotes, tagOrder } from "./annotate-order.ts";
export { attachCustomer } from "./attach-customer.ts";
export { authorizePayment } from "./authorize-payment.ts";
export {
  type BookedOrder,
  type BookingRef,
  bookedOrderRepo,
} from "./bookings/booked-order-repo.ts";
export {
  type ChangeBookingResult,
  cancelBooking,
  closeBooking,
} from "./bookings/change-booking.ts";
export { rescheduleBooking, rescheduleTypes } from "./bookings/reschedule-booking.ts";
export { cancelOrder } from "./cancel-order.ts";
export {
  cancelUnpaidOrder,
  chargeExpiresAt,
  checkUnpaid,
  maxUnpaidOrderTtlMs,
  planUnpaidCancellation,
  type UnpaidCheck,
  unpaidOrderTtlMs,
} from "./cancel-unpaid-order.ts";
export { cancelUnpaidOrders, type UnpaidOrder } from "./cancel-unpaid-orders.ts";
export { changeOrderPayment } from "./change-order-payment.ts";
export { changeOrderStatus } from "./change-order-status.ts";
export {
  bulkStatuses,
  changeOrderStatuses,
  type StatusChangeResult,
} from "./change-order-statuses.ts";
export { commitOrder } from "./commit-order.ts";
export type { OrderContext } from "./context.ts";
export { createPaymentLink } from "./create-payment-link.ts";
export { assertCustomerMayCancel } from "./customer-cancellation.ts";
export { orderContactQuery, orderIdsOfCustomer, orderPlaceQuery } from "./customer-orders-query.ts";
export {
  disputeRecord,
  orderCreatedEvent,
  orderEvent,
  paymentEvent,
  wireStatus,
} from "./events.ts";
export {
  claimExpiredOrders,
  type ExpiredOrder,
  expiredOrders,
  loadExpiredOrders,
} from "./expired-orders-query.ts";
export { exportOrders } from "./export-orders.ts";
export { extendPaymentDeadline } from "./extend-payment-deadline.ts";
export { configurationOf, lineChoices } from "./line-choices.ts";
export { logInWithContact } from "./log-in-with-contact.ts";
export { markOrderPaid } from "./mark-order-paid.ts";
export { markRefundPaid } from "./mark-refund-paid.ts";
export {
  listMissingProviders,
  type OrderWithoutProvider,
  postponeWithoutProvider,
} from "./missing-provider-query.ts";
export { type OpenOrderCounts, openOrdersRead } from "./open-orders-query.ts";
export {
  chosenDeliveryOf,
  nextVersion,
  type Order,
  type OrderLine,
  type OrderType,
  orderStatuses,
  orderTypes,
  paymentInProgress,
} from "./order.ts";
export { isTaxIncluded, lineTotals, taxLinesOfTotals, withLineTaxes } from "./order-amounts.ts";
export { findOrderContents, type OrderContents } from "./order-contents-query.ts";
export {
  newOrderDetails,
  type OrderDetails,
  type OrderRecord,
  orderDetailsQueries,
  orderIdsOfCart,
  toOrderRecords,
} from "./order-details-query.ts";
export {
  insertOrder,
  isDuplicateOrderError,
  outdatedPriceConstraint,
} from "./order-insert-repo.ts";
export { type OrderFilter, orderListQuery } from "./order-list-query.ts";
export { orderNumberFrom } from "./order-number.ts";
export { assertPayable, isPayable } from "./payable-order.ts";
export type { PaymentCaller } from "./payment-authorization-query.ts";
export { orderPersonalData } from "./personal-data-repo.ts";
export { recordDispute } from "./record-dispute.ts";
export { type ChargeReport, recordCharge } from "./record-payment.ts";
export { refundOrder } from "./refund-order.ts";
export { orderRepo } from "./repo.ts";
export { findEarlierRequest, toRequestKey } from "./request-key.ts";
export { countSales, uncountedOrders } from "./sales/count-sales-repo.ts";
export {
  type CustomerReport,
  type CustomerSales,
  createCustomerReport,
} from "./sales/customer-report-query.ts";
export {
  type SalesPeriod,
  salesIntervals,
  splitIntoPeriods,
} from "./sales/periods.ts";
export { type PeriodSales, periodSalesRead } from "./sales/sales-query.ts";
export { createSalesReport, type SalesReport } from "./sales/sales-report.ts";
export { createTaxReport, type TaxFigures, type TaxReport } from "./sales/tax-report-query.ts";
export { parseOrderSearch } from "./search-terms.ts";
export { settleRefund } from "./settle-refund.ts";
export { createShipment } from "./shipments/create-shipment.ts";
export {
  fulfilmentStatuses,
  fulfilmentStatusOf,
  soldUnits,
  wereItemsReturned,
} from "./shipments/fulfilment.ts";
export { updateShipment } from "./shipments/update-shipment.ts";
export { linkProof } from "./token-proof.ts";
export {
  clearAddressDigests,
  ordersWithOldAddress,
  unpaidLimitConditions,
  unpaidLimitRefusals,
} from "./unpaid-limits-query.ts";
export {
  askProvider,
  findMissingProvider,
  providerReferenceOf,
  tryVerifyPayment,
  type VerifiedCharge,
  verifyCharges,
  verifyPayment,
  voidCharges,
} from "./verify-payment.ts";
