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
  passkeys: {
    createOptions: "POST /auth/passkeys/register-options",
    register: "POST /auth/passkeys/register body",
    createLoginOptions: "POST /auth/passkeys/login-options",
    logInWith: "POST /auth/passkeys/login body",
    list: "GET /auth/passkeys",
    delete: "DELETE /auth/passkeys/{} key",
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
  readonly passkeys: Readonly<{
    /**
     * Get the options with which a browser creates a passkey.
     */
    createOptions: (options?: CallOptions) => Promise<Result<DataOf<operations["createPasskeyOptions"]>>>;
    /**
     * Store the passkey that a browser has created.
     */
    register: (input: InputOf<operations["registerPasskey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["registerPasskey"]>>>;
    /**
     * Get the options with which a browser logs in.
     */
    createLoginOptions: (options?: CallOptions) => Promise<Result<DataOf<operations["createPasskeyLoginOptions"]>>>;
    /**
     * Log in with a passkey.
     *
     * Sets the cookie __Host-console. The login of an earlier cookie ends.
     */
    logInWith: (input: InputOf<operations["logInWithPasskey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["logInWithPasskey"]>>>;
    /**
     * List the passkeys of the login, newest first.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listPasskeys"]>>>;
    /**
     * Delete a passkey, which logs nobody in any more.
     */
    delete: (passkeyId: string, options?: CallOptions) => Promise<Result<DataOf<operations["deletePasskey"]>>>;
  }>;
}
