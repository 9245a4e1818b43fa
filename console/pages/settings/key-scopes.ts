import type { BusinessSchemas } from "@duka/sdk/business";

type KeyScope = BusinessSchemas["ApiKey"]["scopes"][number];

const areas = {
  catalogue: "products",
  inventory: "stock",
  orders: "orders and bookings",
  payments: "payments",
  customers: "customers",
  support: "chats",
  webhooks: "webhooks",
  settings: "settings",
  keys: "API keys",
} as const;

const isArea = (text: string): text is keyof typeof areas => text in areas;

/** What a secret key may be allowed to do. */
export const scopeOptions: readonly Readonly<{ value: KeyScope; name: string }>[] = Object.keys(
  areas,
)
  .filter(isArea)
  .flatMap((area) => [
    { value: `${area}:read` as const, name: `Read ${areas[area]}` },
    { value: `${area}:write` as const, name: `Change ${areas[area]}` },
  ]);

export const toScopes = (texts: readonly string[]): readonly KeyScope[] =>
  scopeOptions.flatMap(({ value }) => (texts.includes(value) ? [value] : []));
