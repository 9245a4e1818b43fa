import type { ApiBindings } from "../runtime/bindings.ts";
import { version } from "../runtime/version.ts";
import type { ApiApp } from "./context.ts";

/** The general part of an API's OpenAPI document. */
export type ApiDescription<B extends ApiBindings> = Readonly<{
  prefix: string;
  title: string;
  description: string;
  /** Adds parts to the document that no route declares. */
  complete?: (app: ApiApp<B>) => Promise<void>;
}>;

/** The paths that every API serves itself, without a section of routes. */
export const builtInPaths = ({ prefix }: { prefix: string }) =>
  ["/healthz", `${prefix}/healthz`, `${prefix}/openapi.json`] as const;

/**
 * Adds `/healthz` and the OpenAPI 3.1 document. The first request renders the document; later ones
 * get the cached text.
 */
export function mountDocuments<B extends ApiBindings>(
  app: ApiApp<B>,
  {
    description,
    buildWholeApp,
  }: { description: ApiDescription<B>; buildWholeApp: () => Promise<ApiApp<B>> },
): void {
  const [health, apiHealth, documentPath] = builtInPaths(description);
  app.get(health, (c) => c.json({ status: "ok", version }));
  app.get(apiHealth, (c) => c.json({ status: "ok", version }));

  let document: string | null = null;
  app.get(documentPath, async (c) => {
    document ??= await renderDocument(description, buildWholeApp);
    return c.body(document, 200, {
      "Content-Type": "application/json",
      "Cache-Control": "public, max-age=300",
    });
  });
}

async function renderDocument<B extends ApiBindings>(
  { title, description, complete }: ApiDescription<B>,
  buildWholeApp: () => Promise<ApiApp<B>>,
): Promise<string> {
  const app = await buildWholeApp();
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
