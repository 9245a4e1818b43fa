/** In the order that their bindings need: what is bound to must be there first. */
export const deployOrder = [
  { name: "duka-storefront", config: "functions/storefront/wrangler.toml" },
  { name: "duka-link", config: "functions/link/wrangler.toml" },
  { name: "duka-business", config: "functions/business/wrangler.toml" },
  { name: "duka-background", config: "functions/background/wrangler.toml" },
  { name: "duka-front", config: "wrangler.toml" },
] as const;
