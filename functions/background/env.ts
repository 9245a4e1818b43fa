import type { Announcement } from "../http/surface-env.ts";

/** What the background Worker is bound to, besides the shards that SHOP_SHARDS names. */
export type BackgroundBindings = Readonly<{ CORE: D1Database; EVENTS: Queue<Announcement> }>;
