import type { StorefrontSchemas } from "../../sdk/src/index.ts";

/** Request bodies of the end-to-end sale: a business in Accra, its products and checkouts. */
export const newBusiness = {
  name: "Adinkra Goods",
  mode: "test",
  currency: "GHS",
  default_country: "GH",
  timezone: "Africa/Accra",
} as const;

export const kenteShirt = (categoryId: string) => ({
  name: "Kente Shirt",
  category_id: categoryId,
  default_price: "120.00",
  variant_axes: [{ name: "size", label: "Size", values: ["Small", "Large"] }],
  variants: [
    { name: "Small", price_adjustment: "0.00", is_default: true, axis_values: { size: "Small" } },
    { name: "Large", price_adjustment: "15.50", is_default: false, axis_values: { size: "Large" } },
  ],
});

export const sheaSoap = {
  name: "Shea Soap",
  default_price: "24.88",
  inventory_type: "tracked",
} as const;

export const cashCheckout = (cartId: string): StorefrontSchemas["Checkout"] => ({
  cart_id: cartId,
  customer: { name: "Ama Serwaa", email: "ama@example.com" },
  order_type: "pickup",
  payment_method: "cash",
});

/** The sandbox asks for a one-time code because the number ends in 1. */
export const mobileMoneyCheckout = (cartId: string): StorefrontSchemas["Checkout"] => ({
  cart_id: cartId,
  customer: { name: "Kofi Mensah", phone: "024 123 4561" },
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "024 123 4561", provider: "mtn" },
});
