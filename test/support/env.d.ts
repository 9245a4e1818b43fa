/// <reference types="@cloudflare/vitest-plugin/types" />
/// <reference types="vite/client" />

declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("./worker.ts");
  }
  interface Env {
    CORE: D1Database;
    SHOP_1: D1Database;
    SHOP_2: D1Database;
    FILES: R2Bucket;
    EVENTS: Queue<import("../../functions/http/context.ts").OutboxWakeup>;
    WORK: Queue<import("../../functions/background/queued-job.ts").QueuedJob>;
    MESSAGES: Queue<import("../../functions/runtime/message-queue.ts").MessageWakeup>;
    CART_SESSION: Omit<DurableObjectNamespace, "getByName"> & {
      getByName(
        name: string,
      ): DurableObjectStub &
        ReturnType<
          import("../../functions/storefront/env.ts").StorefrontBindings["CART_SESSION"]["getByName"]
        >;
    };
    RATE_LIMITER: DurableObjectNamespace &
      import("../../functions/http/context.ts").ApiBindings["RATE_LIMITER"];
    METRICS: DurableObjectNamespace &
      import("../../functions/http/context.ts").ApiBindings["METRICS"];
    SUPPORT_CONVERSATION: Omit<DurableObjectNamespace, "getByName"> & {
      getByName(
        name: string,
      ): DurableObjectStub &
        import("../../functions/runtime/objects/conversation-object.ts").ConversationObject;
    };
    SHOP_SHARDS: string;
    OPERATOR_TOKEN: string;
    SESSION_SECRET: string;
    WEBHOOK_SIGNING_SECRET: string;
    ALLOW_LOCAL_WEBHOOKS: string;
    CREDENTIALS_KEY: string;
    PAYSTACK_SECRET_KEY: string;
    CORE_MIGRATIONS: import("cloudflare:test").D1Migration[];
    SHOP_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
}

/** How many businesses the tests of this isolate have created, over all of its files. */
declare var createdBusinesses: number | undefined;
