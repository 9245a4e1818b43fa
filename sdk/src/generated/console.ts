// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, Result } from "../runtime/types.ts";
import type { operations } from "./business-types.ts";

export const consoleRoutes = {
  auth: {
    requestOtp: "POST /auth/request-otp body",
    verifyOtp: "POST /auth/verify-otp body",
    logOut: "POST /auth/logout",
  },
  me: {
    get: "GET /me",
    delete: "DELETE /me",
  },
} as const;

export interface ConsoleMethods {
  readonly auth: Readonly<{
    /**
     * Send a one-time code to an e-mail address.
     *
     * The answer is the same for every address.
     */
    requestOtp: (input: InputOf<operations["requestOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["requestOtp"]>>>;
    /**
     * Log in with a one-time code, and accept the address's invitations.
     *
     * Sets the cookie __Host-console. The login of an earlier cookie ends.
     */
    verifyOtp: (input: InputOf<operations["verifyOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["verifyOtp"]>>>;
    /**
     * Log out.
     */
    logOut: (options?: CallOptions) => Promise<Result<DataOf<operations["logOut"]>>>;
  }>;
  readonly me: Readonly<{
    /**
     * Get the person who is logged in, with the businesses and roles.
     */
    get: (options?: CallOptions) => Promise<Result<DataOf<operations["getMe"]>>>;
    /**
     * Delete the login with its memberships, passkeys and sessions.
     *
     * Afterwards the cookie is worth nothing.
     */
    delete: (options?: CallOptions) => Promise<Result<DataOf<operations["deleteMe"]>>>;
  }>;
}
