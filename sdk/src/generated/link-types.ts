// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

export interface components {
    schemas: {
        readonly RequestOtpRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
        };
        readonly LinkMessage: {
            /** @enum {boolean} */
            readonly success: true;
            readonly message: string;
        };
        readonly VerifyOtpRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
            readonly otp_code: string;
        };
        readonly LinkLogin: {
            /** @enum {boolean} */
            readonly success: true;
            /** @description Bearer token, lnk_… */
            readonly session_token: string;
            /** @description rfr_…, 30 days; works once. */
            readonly refresh_token: string;
            /** @description Seconds of the session_token. */
            readonly expires_in: number;
            readonly account_id: string;
            readonly customer_id: string;
            readonly message: string;
        };
        readonly RefreshTokensRequest: {
            readonly refresh_token: string;
        };
        readonly LinkTokens: {
            /** @enum {boolean} */
            readonly success: true;
            /** @description Bearer token, lnk_… */
            readonly session_token: string;
            /** @description rfr_…, 30 days; works once. */
            readonly refresh_token: string;
            /** @description Seconds of the session_token. */
            readonly expires_in: number;
        };
        readonly CheckEnrolmentRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
        };
        readonly LinkStatus: {
            readonly is_link_customer: boolean;
        };
        readonly EnrollContactRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
            readonly name?: string | null;
        };
        readonly LinkEnrolment: {
            readonly account_id: string;
            readonly customer_id: string;
            readonly enrolled_at: string;
            readonly is_new: boolean;
        };
        readonly LinkAddressFields: {
            readonly label?: string | null;
            readonly street_address: string;
            readonly apartment?: string | null;
            readonly city?: string | null;
            readonly region?: string | null;
            readonly country?: string | null;
        };
        readonly LinkMobileMoneyFields: {
            readonly phone_number: string;
            readonly provider: string;
            readonly label?: string | null;
        };
        readonly EnrollAndLinkOrderRequest: {
            readonly order_id: string;
            readonly business_id: string;
            readonly bill_token?: string | null;
            readonly address?: components["schemas"]["LinkAddressFields"] | null;
            readonly mobile_money?: components["schemas"]["LinkMobileMoneyFields"] | null;
            /** @enum {string|null} */
            readonly order_type?: "delivery" | "pickup" | "dine-in" | "walk-in" | null;
        };
        readonly LinkOrder: components["schemas"]["LinkEnrolment"] & {
            readonly order_id: string;
        };
        readonly LinkCustomer: {
            readonly id: string;
            readonly name: string | null;
            readonly email: string | null;
            readonly phone: string | null;
        };
        readonly LinkAddress: {
            readonly id: string;
            readonly label: string | null;
            readonly street_address: string;
            readonly apartment: string | null;
            readonly city: string | null;
            readonly region: string | null;
            readonly country: string | null;
            readonly is_default: boolean;
            readonly usage_count: number;
            readonly last_used_at: string | null;
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly LinkMobileMoney: {
            readonly id: string;
            readonly phone_number: string;
            /** @enum {string} */
            readonly provider: "mtn" | "vod" | "atl" | "mpesa";
            readonly label: string | null;
            readonly is_default: boolean;
            readonly is_verified: boolean;
            readonly verified_at: string | null;
            readonly usage_count: number;
            readonly last_used_at: string | null;
            readonly created_at: string;
        };
        readonly LinkPreferences: {
            /** @enum {string|null} */
            readonly preferred_order_type: "delivery" | "pickup" | "dine-in" | "walk-in" | null;
            readonly default_address_id: string | null;
            readonly notify_on_order: boolean;
            readonly updated_at: string | null;
        };
        readonly LinkData: {
            readonly customer: components["schemas"]["LinkCustomer"];
            readonly addresses: readonly components["schemas"]["LinkAddress"][];
            readonly mobile_money: readonly components["schemas"]["LinkMobileMoney"][];
            readonly preferences: components["schemas"]["LinkPreferences"];
            readonly default_address: components["schemas"]["LinkAddress"] | null;
            readonly default_mobile_money: components["schemas"]["LinkMobileMoney"] | null;
        };
        readonly UpdatePreferencesRequest: {
            /** @enum {string|null} */
            readonly preferred_order_type?: "delivery" | "pickup" | "dine-in" | "walk-in" | null;
            readonly default_address_id?: string | null;
            readonly notify_on_order?: boolean;
        };
        readonly UpdateAddressRequest: {
            readonly label?: string | null;
            readonly street_address?: string;
            readonly apartment?: string | null;
            readonly city?: string | null;
            readonly region?: string | null;
            readonly country?: string | null;
        };
        readonly LinkRemoved: {
            readonly id: string;
            /** @enum {boolean} */
            readonly deleted: true;
        };
        readonly LinkReachability: {
            readonly is_reachable: boolean;
            readonly account_name: string | null;
        };
        readonly LinkContact: {
            readonly id: string;
            readonly contact: string;
            /** @enum {string} */
            readonly contact_type: "phone" | "email";
            readonly verified_at: string | null;
            readonly created_at: string;
        };
        readonly AddContactRequest: {
            readonly contact: string;
            /** @enum {string|null} */
            readonly contact_type?: "phone" | "email" | null;
            readonly otp_code: string;
            readonly confirmation: {
                readonly contact_id: string;
                readonly otp_code: string;
            };
        };
        readonly LinkPendingDetails: {
            readonly id: string;
            readonly business_name: string;
            readonly order_id: string | null;
            readonly name: string | null;
            readonly address: {
                readonly label: string | null;
                readonly street_address: string;
                readonly apartment: string | null;
                readonly city: string | null;
                readonly region: string | null;
                readonly country: string | null;
            } | null;
            readonly mobile_money: {
                readonly phone_number: string;
                /** @enum {string} */
                readonly provider: "mtn" | "vod" | "atl" | "mpesa";
                readonly label: string | null;
            } | null;
            /** @enum {string|null} */
            readonly order_type: "delivery" | "pickup" | "dine-in" | "walk-in" | null;
            readonly created_at: string;
            readonly expires_at: string;
        };
        readonly LinkConfirmedDetails: {
            readonly id: string;
            readonly address: components["schemas"]["LinkAddress"] | null;
            readonly mobile_money: components["schemas"]["LinkMobileMoney"] | null;
        };
        readonly LinkPlatform: {
            readonly id: string;
            readonly name: string;
            readonly host: string;
            readonly business_id: string;
            readonly scopes: readonly ("dev.ucp.shopping.order:read" | "dev.ucp.shopping.checkout:manage")[];
            readonly linked_at: string;
            readonly last_used_at: string;
            readonly expires_at: string;
        };
        readonly LinkSession: {
            readonly id: string;
            readonly device: string | null;
            readonly country: string | null;
            readonly created_at: string;
            readonly last_used_at: string;
            readonly expires_at: string;
            readonly is_current: boolean;
        };
        readonly LinkRevoked: {
            /** @enum {boolean} */
            readonly success: true;
            readonly revoked: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly requestOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RequestOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkMessage"];
                };
            };
        };
    };
    readonly verifyOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VerifyOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkLogin"];
                };
            };
        };
    };
    readonly logOut: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkMessage"];
                };
            };
        };
    };
    readonly refreshTokens: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefreshTokensRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkTokens"];
                };
            };
        };
    };
    readonly getAuthElement: {
        readonly parameters: {
            readonly query: {
                /** @description The publishable key, for pages that a browser opens without headers. */
                readonly public_key: string;
                /** @description The origin of the page that embeds the frame. */
                readonly origin: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly getAccountElement: {
        readonly parameters: {
            readonly query: {
                /** @description The publishable key, for pages that a browser opens without headers. */
                readonly public_key: string;
                /** @description The origin of the page that embeds the frame. */
                readonly origin: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly requestElementOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RequestOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkMessage"];
                };
            };
        };
    };
    readonly verifyElementOtp: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VerifyOtpRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkLogin"];
                };
            };
        };
    };
    readonly refreshElementTokens: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefreshTokensRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkTokens"];
                };
            };
        };
    };
    readonly checkEnrolment: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckEnrolmentRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkStatus"];
                };
            };
        };
    };
    readonly enrollContact: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EnrollContactRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkEnrolment"];
                    };
                };
            };
        };
    };
    readonly enrollAndLinkOrder: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EnrollAndLinkOrderRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkOrder"];
                    };
                };
            };
        };
    };
    readonly getAccountData: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkData"];
                    };
                };
            };
        };
    };
    readonly getPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkPreferences"];
                    };
                };
            };
        };
    };
    readonly updatePreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdatePreferencesRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkPreferences"];
                    };
                };
            };
        };
    };
    readonly listAddresses: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkAddress"][];
                    };
                };
            };
        };
    };
    readonly createAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LinkAddressFields"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkAddress"];
                    };
                };
            };
        };
    };
    readonly updateAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateAddressRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkAddress"];
                    };
                };
            };
        };
    };
    readonly removeAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkRemoved"];
                    };
                };
            };
        };
    };
    readonly setDefaultAddress: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkAddress"];
                    };
                };
            };
        };
    };
    readonly trackAddressUsage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkAddress"];
                    };
                };
            };
        };
    };
    readonly listMobileMoneyAccounts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkMobileMoney"][];
                    };
                };
            };
        };
    };
    readonly createMobileMoneyAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LinkMobileMoneyFields"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkMobileMoney"];
                    };
                };
            };
        };
    };
    readonly removeMobileMoneyAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkRemoved"];
                    };
                };
            };
        };
    };
    readonly setDefaultMobileMoneyAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkMobileMoney"];
                    };
                };
            };
        };
    };
    readonly trackMobileMoneyAccountUsage: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkMobileMoney"];
                    };
                };
            };
        };
    };
    readonly verifyMobileMoneyAccount: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkReachability"];
                    };
                };
            };
        };
    };
    readonly listContacts: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkContact"][];
                    };
                };
            };
        };
    };
    readonly addContact: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddContactRequest"];
            };
        };
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkContact"];
                    };
                };
            };
        };
    };
    readonly removeContact: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the contact. */
                readonly contact_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkRemoved"];
                    };
                };
            };
        };
    };
    readonly listPendingDetails: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkPendingDetails"][];
                    };
                };
            };
        };
    };
    readonly confirmPendingDetails: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkConfirmedDetails"];
                    };
                };
            };
        };
    };
    readonly discardPendingDetails: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkRemoved"];
                    };
                };
            };
        };
    };
    readonly listPlatforms: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkPlatform"][];
                    };
                };
            };
        };
    };
    readonly disconnectPlatform: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: components["schemas"]["LinkRemoved"];
                    };
                };
            };
        };
    };
    readonly listSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": {
                        /** @enum {boolean} */
                        readonly success: true;
                        readonly data: readonly components["schemas"]["LinkSession"][];
                    };
                };
            };
        };
    };
    readonly endAllSessions: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkRevoked"];
                };
            };
        };
    };
    readonly endSession: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The id of the record. */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LinkRevoked"];
                };
            };
        };
    };
}
