import type { DocumentDescription } from "../http/openapi/create-document.ts";
import { documentFrames } from "../wire/views/support-frames.ts";
import { documentWebhooks } from "../wire/views/webhook-document.ts";
import type { BusinessBindings } from "./env.ts";
import { examples } from "./examples/generated.ts";

/** The general part of the business API's OpenAPI document. */
export const documentDescription: DocumentDescription<BusinessBindings> = {
  title: "Duka for businesses",
  description: "The API of merchants and of the operator.",
  examples: JSON.parse(examples),
  tagGroups: [
    {
      name: "Catalogue",
      tags: {
        Products: "Products with their variants, add-on options and images.",
        Categories: "The tree of categories.",
        Collections: "Collections, with products that are listed or chosen by a rule.",
        Attributes: "What the products of a category or collection are described by.",
        Bundles: "Products that are sold together for one price.",
        Composites: "Products that the shopper puts together from components.",
        "Billing plans": "The plans with which products can be subscribed to.",
        Deals: "Discounts, with or without a coupon code.",
        Inventory: "The quantity on hand at each location.",
        "Imports and exports": "Products as a CSV.",
        Assets: "Public files of a storefront.",
      },
    },
    {
      name: "Scheduling",
      tags: {
        Services: "What can be booked.",
        Bookings: "Bookings of shoppers.",
        Staff: "Who works when.",
        Resources: "Rooms and equipment that services need.",
      },
    },
    {
      name: "Sale",
      tags: {
        Orders: "Orders with their payments, refunds and notes.",
        Subscriptions: "What customers have subscribed to.",
        Customers: "Customers with their notes and personal data.",
        "Customer groups": "Groups of customers, to which deals can be limited.",
        Conversations: "Support conversations with shoppers.",
        Reports: "Sales, taxes, customers and stock.",
      },
    },
    {
      name: "Settings",
      tags: {
        Business: "The business and its settings.",
        Locations: "Where the business sells from.",
        Agents: "What shopping agents know the business by.",
        Domains: "Hostnames that lead to the business's shop.",
        Tax: "Tax classes of products, and the rates of places.",
        Delivery: "Where and how the business delivers, and for what price.",
        "Payment providers": "The business's own accounts at payment providers.",
        Keys: "Keys of the business.",
        Members: "Who works for the business, and what they may do.",
        Messages: "E-mail and SMS messages to customers, and their texts.",
        Audit: "Who changed what.",
      },
    },
    {
      name: "Console",
      tags: {
        Auth: "The login of people who work for businesses.",
        Passkeys: "Logins without a code.",
        Me: "Who is logged in, and the businesses that the person works for.",
      },
    },
    {
      name: "Operator",
      tags: {
        Operators: "Logins that may make operator calls.",
        Businesses: "All businesses of the deployment.",
        Organizations: "Keys that serve every business of an organization.",
      },
    },
  ],
  complete: async (app) => {
    documentFrames(app);
    await documentWebhooks(app);
  },
};
