import { version } from "../runtime/version.ts";
import type { SurfaceApp, SurfaceBindings } from "./api-env.ts";

/** What a surface's OpenAPI document says of it as a whole. */
export type About<B extends SurfaceBindings> = Readonly<{
  prefix: string;
  title: string;
  description: string;
  /** Adds to the document what no row says. */
  complete?: (app: SurfaceApp<B>) => Promise<void>;
}>;

/** What a surface answers besides its rows. */
export const ownPaths = ({ prefix }: { prefix: string }) =>
  ["/healthz", `${prefix}/healthz`, `${prefix}/openapi.json`] as const;

/** Adds `/healthz` and the OpenAPI 3.1 document of the `whole` surface, which is made on first use and kept. */
export function documents<B extends SurfaceBindings>(
  app: SurfaceApp<B>,
  { about, whole }: { about: About<B>; whole: () => Promise<SurfaceApp<B>> },
): void {
  const [health, healthOfSurface, description] = ownPaths(about);
  app.get(health, (c) => c.json({ status: "ok", version }));
  app.get(healthOfSurface, (c) => c.json({ status: "ok", version }));

  let document: string | null = null;
  app.get(description, async (c) => {
    document ??= await written(about, whole);
    return c.body(document, 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=300",
    });
  });
}

async function written<B extends SurfaceBindings>(
  { title, description, complete }: About<B>,
  whole: () => Promise<SurfaceApp<B>>,
): Promise<string> {
  const app = await whole();
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    app.openAPIRegistry.registerComponent("securitySchemes", name, scheme);
  }
  await complete?.(app);
  return JSON.stringify(
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: { title, version, description },
      servers: [{ url: "/" }],
    }),
  );
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
  paystackSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Paystack-Signature",
    description: "HMAC-SHA512 of the raw body under the Paystack secret key, in hex.",
  },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "The deployment's OPERATOR_TOKEN.",
  },
} as const;
