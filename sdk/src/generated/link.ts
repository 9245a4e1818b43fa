// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, Result } from "../runtime/types.ts";
import type { operations } from "./link-types.ts";

export const linkRoutes = {
  auth: {
    requestOtp: "POST /auth/request-otp body",
    verifyOtp: "POST /auth/verify-otp body",
    logOut: "POST /auth/logout key session",
    refreshTokens: "POST /auth/refresh body key",
  },
  elements: {
    getAuth: "GET /elements/auth?",
    getAccount: "GET /elements/account?",
    requestOtp: "POST /elements/request-otp body",
    verifyOtp: "POST /elements/verify-otp body",
    refreshTokens: "POST /elements/refresh body key",
  },
  enrolment: {
    check: "POST /check-status body",
    enroll: "POST /enroll body key session",
    enrollAndLinkOrder: "POST /enroll-and-link-order body key session",
  },
  account: {
    getData: "GET /data session",
    getPreferences: "GET /preferences session",
    updatePreferences: "POST /preferences body key session",
  },
  addresses: {
    list: "GET /addresses session",
    create: "POST /addresses body key session",
    update: "POST /addresses/{} body key session",
    remove: "DELETE /addresses/{} key session",
    setDefault: "POST /addresses/{}/default key session",
    trackUsage: "POST /addresses/{}/track-usage key session",
  },
  mobileMoney: {
    list: "GET /mobile-money session",
    create: "POST /mobile-money body key session",
    remove: "DELETE /mobile-money/{} key session",
    setDefault: "POST /mobile-money/{}/default key session",
    trackUsage: "POST /mobile-money/{}/track-usage key session",
    verify: "POST /mobile-money/{}/verify key session",
  },
  contacts: {
    list: "GET /contacts session",
    add: "POST /contacts body key session",
    remove: "DELETE /contacts/{} key session",
  },
  pendingDetails: {
    list: "GET /pending-details session",
    confirm: "POST /pending-details/{}/confirm key session",
    discard: "DELETE /pending-details/{} key session",
  },
  platforms: {
    list: "GET /platforms session",
    disconnect: "DELETE /platforms/{} key session",
  },
  sessions: {
    list: "GET /sessions session",
    endAll: "DELETE /sessions key session",
    end: "DELETE /sessions/{} key session",
  },
} as const;

export interface LinkMethods {
  readonly auth: Readonly<{
    /**
     * Send a one-time code to a phone number or an e-mail address.
     */
    requestOtp: (input: InputOf<operations["requestOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["requestOtp"]>>>;
    /**
     * Log in with a code.
     */
    verifyOtp: (input: InputOf<operations["verifyOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["verifyOtp"]>>>;
    /**
     * End the session.
     */
    logOut: (options?: CallOptions) => Promise<Result<DataOf<operations["logOut"]>>>;
    /**
     * Exchange a refresh_token, which works once, for new tokens.
     */
    refreshTokens: (input: InputOf<operations["refreshTokens"]>, options?: CallOptions) => Promise<Result<DataOf<operations["refreshTokens"]>>>;
  }>;
  readonly elements: Readonly<{
    /**
     * Get a page for frames that logs in with a one-time code.
     */
    getAuth: (input: InputOf<operations["getAuthElement"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getAuthElement"]>>>;
    /**
     * Get a page for frames that shows a customer's saved data.
     */
    getAccount: (input: InputOf<operations["getAccountElement"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getAccountElement"]>>>;
    /**
     * Send a one-time code from an embedded frame.
     */
    requestOtp: (input: InputOf<operations["requestElementOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["requestElementOtp"]>>>;
    /**
     * Log in with a code from an embedded frame.
     */
    verifyOtp: (input: InputOf<operations["verifyElementOtp"]>, options?: CallOptions) => Promise<Result<DataOf<operations["verifyElementOtp"]>>>;
    /**
     * Exchange a refresh_token for new tokens from an embedded frame.
     */
    refreshTokens: (input: InputOf<operations["refreshElementTokens"]>, options?: CallOptions) => Promise<Result<DataOf<operations["refreshElementTokens"]>>>;
  }>;
  readonly enrolment: Readonly<{
    /**
     * Check whether a contact has enrolled.
     */
    check: (input: InputOf<operations["checkEnrolment"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkEnrolment"]>>>;
    /**
     * Enrol a contact; without its owner's session at the owner's next login.
     */
    enroll: (input: InputOf<operations["enrollContact"]>, options?: CallOptions) => Promise<Result<DataOf<operations["enrollContact"]>>>;
    /**
     * Enrol, link an order to the account, and save an address and a mobile-money account; without a session all of it waits for the owner's login.
     */
    enrollAndLinkOrder: (input: InputOf<operations["enrollAndLinkOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["enrollAndLinkOrder"]>>>;
  }>;
  readonly account: Readonly<{
    /**
     * Read all saved data of the account.
     */
    getData: (options?: CallOptions) => Promise<Result<DataOf<operations["getAccountData"]>>>;
    /**
     * Read the account's preferences; NOT_ENROLLED before it has enrolled.
     */
    getPreferences: (options?: CallOptions) => Promise<Result<DataOf<operations["getPreferences"]>>>;
    /**
     * Update preferences; omitted fields stay, null clears.
     */
    updatePreferences: (input: InputOf<operations["updatePreferences"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updatePreferences"]>>>;
  }>;
  readonly addresses: Readonly<{
    /**
     * List the account's addresses.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listAddresses"]>>>;
    /**
     * Save an address; the first one is the default, at most 50.
     */
    create: (input: InputOf<operations["createAddress"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createAddress"]>>>;
    /**
     * Update an address; omitted fields stay.
     */
    update: (id: string, input: InputOf<operations["updateAddress"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateAddress"]>>>;
    /**
     * Remove an address; the most recently used one replaces a removed default.
     */
    remove: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeAddress"]>>>;
    /**
     * Make the address the default.
     */
    setDefault: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["setDefaultAddress"]>>>;
    /**
     * Record a use of the address.
     */
    trackUsage: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["trackAddressUsage"]>>>;
  }>;
  readonly mobileMoney: Readonly<{
    /**
     * List the account's mobile-money accounts.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listMobileMoneyAccounts"]>>>;
    /**
     * Save a mobile-money account; the first one is the default, at most 50.
     */
    create: (input: InputOf<operations["createMobileMoneyAccount"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createMobileMoneyAccount"]>>>;
    /**
     * Remove a mobile-money account; the most recently used one replaces a removed default.
     */
    remove: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeMobileMoneyAccount"]>>>;
    /**
     * Make the mobile-money account the default.
     */
    setDefault: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["setDefaultMobileMoneyAccount"]>>>;
    /**
     * Record a use of the mobile-money account.
     */
    trackUsage: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["trackMobileMoneyAccountUsage"]>>>;
    /**
     * Verify that the number is reachable on its network.
     */
    verify: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["verifyMobileMoneyAccount"]>>>;
  }>;
  readonly contacts: Readonly<{
    /**
     * List the account's contacts.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listContacts"]>>>;
    /**
     * Add a contact, with a code to it and a code to a contact of the account.
     *
     * @throws BusinessRuleError with the rule INVALID_CODE, CONTACT_LIMIT.
     */
    add: (input: InputOf<operations["addContact"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addContact"]>>>;
    /**
     * Remove a contact and end all sessions of the account.
     */
    remove: (contactId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeContact"]>>>;
  }>;
  readonly pendingDetails: Readonly<{
    /**
     * List the details that wait for the account's owner, the newest first.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listPendingDetails"]>>>;
    /**
     * Save waiting details in the account.
     *
     * @throws BusinessRuleError with the rule SAVED_LIMIT, ADDRESS_LIMIT, MOBILE_MONEY_LIMIT.
     */
    confirm: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["confirmPendingDetails"]>>>;
    /**
     * Discard waiting details.
     */
    discard: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["discardPendingDetails"]>>>;
  }>;
  readonly platforms: Readonly<{
    /**
     * List the platforms that the owner has linked, the newest first.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listPlatforms"]>>>;
    /**
     * Disconnect a platform and revoke its tokens.
     */
    disconnect: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["disconnectPlatform"]>>>;
  }>;
  readonly sessions: Readonly<{
    /**
     * List the account's sessions, the newest first.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listSessions"]>>>;
    /**
     * End all sessions, including this one, and disconnect all platforms.
     */
    endAll: (options?: CallOptions) => Promise<Result<DataOf<operations["endAllSessions"]>>>;
    /**
     * End one session.
     */
    end: (id: string, options?: CallOptions) => Promise<Result<DataOf<operations["endSession"]>>>;
  }>;
}
