/** The credentials of the three APIs (docs/contract/conventions.md#keys). */
export const securitySchemes = {
  publishableKey: {
    type: "apiKey",
    in: "header",
    name: "X-Public-Key",
    description: "Publishable key, pk_live_… or pk_test_…: storefronts.",
  },
  sessionCookie: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-session",
    description: "The shopper's session. The first call that needs one sets it.",
  },
  sessionToken: {
    type: "apiKey",
    in: "header",
    name: "X-Session-Token",
    description: "The token of a session that POST /sessions began, for clients without cookies.",
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
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description:
      "The time and the HMAC-SHA-256 of the time and the raw body, with the secret of the webhook endpoint at Stripe. At most five minutes old.",
  },
  paystackSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Paystack-Signature",
    description: "HMAC-SHA512 of the raw body under the Paystack secret key, in hex.",
  },
  consoleSession: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-console",
    description:
      "A member's login at the console. Writes also need the header Origin of this host. The scopes are those of the member's role.",
  },
  operatorToken: {
    type: "http",
    scheme: "bearer",
    description: "The deployment's OPERATOR_TOKEN.",
  },
} as const;
