import type { OpenAPIHono } from "@hono/zod-openapi";
import type { SurfaceBindings, SurfaceEnv } from "./surface-env.ts";
import { version } from "./version.ts";

/** Adds `/healthz` and the surface's OpenAPI 3.1 document, which is made on first use and kept. */
export function documents<B extends SurfaceBindings>(
  app: OpenAPIHono<SurfaceEnv<B>>,
  { prefix, title, description }: { prefix: string; title: string; description: string },
): void {
  app.get("/healthz", (c) => c.json({ status: "ok", version }));
  app.get(`${prefix}/healthz`, (c) => c.json({ status: "ok", version }));

  for (const [name, scheme] of Object.entries(securitySchemes)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  let document: string | null = null;
  app.get(`${prefix}/openapi.json`, (c) => {
    document ??= JSON.stringify(
      app.getOpenAPI31Document({
        openapi: "3.1.0",
        info: { title, version, description },
        servers: [{ url: "/" }],
      }),
    );
    return c.body(document, 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=300",
    });
  });
}

const securitySchemes = {
  publishableKey: {
    type: "apiKey",
    in: "header",
    name: "X-Public-Key",
    description: "Publishable key, pk_live_… or pk_test_…: storefronts.",
  },
  secretKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "Secret key, sk_live_… or sk_test_…: servers. A call names the scope it needs.",
  },
  deployKey: {
    type: "http",
    scheme: "bearer",
    description: "Deploy key, dk_live_… or dk_test_…: assets.",
  },
  linkSession: {
    type: "http",
    scheme: "bearer",
    description: "A Link session_token, lnk_…: 60 minutes from /auth/verify-otp or /auth/refresh.",
  },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "The deployment's OPERATOR_TOKEN.",
  },
} as const;
