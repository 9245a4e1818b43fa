/**
 * In the order that their bindings need: what is bound to must be there first. `startKib` is how much
 * script each may evaluate when it starts: a little more than it does.
 */
export const deployOrder = [
  { name: "duka-storefront", config: "functions/storefront/wrangler.toml", startKib: 950 },
  { name: "duka-link", config: "functions/link/wrangler.toml", startKib: 950 },
  { name: "duka-business", config: "functions/business/wrangler.toml", startKib: 950 },
  { name: "duka-background", config: "functions/background/wrangler.toml", startKib: 10 },
  { name: "duka-front", config: "wrangler.toml", startKib: 10 },
] as const;
