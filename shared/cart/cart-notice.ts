import type { CouponRejectionReason } from "../pricing/index.ts";

/** What a write has taken out of the cart by itself. */
export type CartNotice = CouponNotice | DeliveryNotice;

type CouponNotice = Readonly<{
  code: "COUPON_REMOVED";
  message: string;
  /** The coupon's code. */
  coupon: string;
  /** Absent in carts of earlier releases. */
  reason?: CouponRejectionReason;
}>;

type DeliveryNotice = Readonly<{
  code: "DELIVERY_REMOVED";
  message: string;
  /** The id of the delivery method or of the pickup location. */
  optionId: string;
}>;

export const couponRemoved = (code: string, reason: CouponRejectionReason): CouponNotice => ({
  ...{ code: "COUPON_REMOVED", reason },
  message: `The coupon ${code} no longer applies to this cart, and was removed.`,
  coupon: code,
});

export const deliveryRemoved = ({
  name,
  optionId,
}: Readonly<{ name: string; optionId: string }>): CartNotice => ({
  code: "DELIVERY_REMOVED",
  message: `${name} is no longer offered for this cart, and was removed. Choose another delivery option.`,
  optionId,
});
