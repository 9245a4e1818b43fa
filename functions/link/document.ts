import type { DocumentDescription } from "../http/openapi/create-document.ts";
import type { LinkBindings } from "./env.ts";
import { examples } from "./examples/generated.ts";

/** The general part of the Link API's OpenAPI document. */
export const documentDescription: DocumentDescription<LinkBindings> = {
  title: "Duka Link",
  description: "A customer's saved data across businesses.",
  examples: JSON.parse(examples),
  tagGroups: [
    {
      name: "Login",
      tags: {
        Auth: "Login with one-time codes, and the tokens of a session.",
        Enrolment: "How a customer comes to have an account.",
        Platforms: "Platforms that may act for the account's owner.",
        Sessions: "Where the account is logged in.",
      },
    },
    {
      name: "Saved data",
      tags: {
        Account: "All saved data, and the preferences.",
        Addresses: "Saved addresses.",
        "Mobile money": "Saved mobile-money accounts.",
        Contacts: "The phone numbers and e-mail addresses that log in.",
        "Pending details": "Details that wait for the account's owner.",
      },
    },
    { name: "Pages", tags: { Elements: "Pages that a storefront embeds in a frame." } },
  ],
};
