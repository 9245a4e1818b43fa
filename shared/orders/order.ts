import type { PaymentStatus } from "../payments/index.ts";

export const orderStatuses = ["pending", "confirmed", "preparing", "ready", "completed", "cancelled"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderTypes = ["delivery", "pickup", "dine-in", "walk-in"] as const;
export type OrderType = (typeof orderTypes)[number];

export type OrderLine = Readonly<{
  id: string;
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  addOnOptionIds: readonly string[];
  specialInstructions: string | null;
}>;

export type StatusChange = Readonly<{ status: OrderStatus; at: number; by: string }>;

export type Order = Readonly<{
  id: string;
  orderNumber: string;
  status: OrderStatus;
  orderType: OrderType;
  lines: readonly OrderLine[];
  subtotalMinor: number;
  discountTotalMinor: number;
  taxTotalMinor: number;
  totalPriceMinor: number;
  currency: string;
  customerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  customerPhone: string | null;
  customerNotes: string | null;
  paymentStatus: PaymentStatus;
  paymentMethod: string;
  locationId: string;
  addressInfo: Readonly<Record<string, unknown>> | null;
  specialInstructions: string | null;
  metadata: Readonly<Record<string, unknown>>;
  statusHistory: readonly StatusChange[];
  cancelledAt: number | null;
  cancellationReason: string | null;
  createdAt: number;
  updatedAt: number;
  /** Raised by every change; two changes from one version: exactly one commits. */
  version: number;
}>;
