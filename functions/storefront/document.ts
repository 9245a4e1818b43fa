import type { DocumentDescription } from "../http/openapi/create-document.ts";
import { documentFrames } from "../wire/views/support-frames.ts";
import { documentWebhooks } from "../wire/views/webhook-document.ts";
import type { StorefrontBindings } from "./env.ts";
import { examples } from "./examples/generated.ts";

/** The general part of the storefront API's OpenAPI document. */
export const documentDescription: DocumentDescription<StorefrontBindings> = {
  title: "Duka storefront",
  description: "Catalogue, cart, checkout, orders and login for shoppers.",
  examples: JSON.parse(examples),
  tagGroups: [
    {
      name: "Catalogue",
      tags: {
        Products: "Products with their variants, add-ons and schedules.",
        Categories: "The tree of categories, with their products, attributes and deals.",
        Collections: "Collections with their products, attributes and deals.",
        Bundles: "Products that are sold together for one price.",
        Composites: "Products that the shopper puts together from components.",
        "Billing plans": "The plans with which a product can be subscribed to.",
        Deals: "What a coupon code takes off.",
        Quotes: "Prices that are locked until they expire.",
        Inventory: "Stock of products and variants.",
      },
    },
    {
      name: "Scheduling",
      tags: {
        Services: "What can be booked.",
        Slots: "The times at which a service can be booked.",
        Bookings: "The customer's bookings.",
      },
    },
    {
      name: "Sale",
      tags: {
        Cart: "The session's cart. Its first call starts the session.",
        Delivery: "How the cart can be delivered, and for what price.",
        Checkout: "From the cart to an order.",
        Payments: "Challenges of payments, and what the provider reports.",
        Orders: "The customer's orders, and those of guests with a bill token.",
        Subscriptions: "What the customer has subscribed to.",
        FX: "Payment in another currency.",
      },
    },
    {
      name: "Shopper",
      tags: {
        Business: "The shop's public details.",
        Auth: "Login with one-time codes, and the customer's profile.",
        Activity: "What the shopper does, and what to recommend.",
        Support: "The shopper's conversation with the business.",
        Places: "Address search.",
        Uploads: "Files of shoppers.",
      },
    },
    { name: "Administration", tags: { Webhooks: "Where events are sent to." } },
  ],
  complete: async (app) => {
    documentFrames(app);
    await documentWebhooks(app);
  },
};
