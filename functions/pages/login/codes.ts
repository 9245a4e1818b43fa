import { DukaError, RateLimitedError, UnauthorizedError } from "../../../sdk/src/storefront.ts";
import type { FormState } from "../parts/fields.tsx";
import { forShoppers } from "../parts/refusal-text.ts";
import type { VisitedShop } from "../shop/open-shop.ts";

/** What came of sending or of trying a code. */
export type CodeResult = Readonly<
  | { isDone: true }
  | {
      isDone: false;
      form: FormState;
      status: 400 | 422 | 429 | 503;
      /** Whether a code that was sent before can still be entered. */
      hasCode: boolean;
    }
>;

const done = { isDone: true } as const;

/** Sends a code to the contact. */
export async function sendCode(shop: VisitedShop, contact: string): Promise<CodeResult> {
  const refuse = (text: string, status: 400 | 503 = 400): CodeResult => ({
    isDone: false,
    form: { values: { contact }, errors: { contact: text } },
    status,
    hasCode: false,
  });
  if (contact === "") return refuse("Enter your e-mail address or phone number.");
  try {
    await shop.api.auth.requestOtp({ contact });
    return done;
  } catch (error) {
    if (error instanceof RateLimitedError) return tooManyCodes(error);
    if (!(error instanceof DukaError)) throw error;
    if (error.status === 400) {
      return refuse("Enter an e-mail address, or a phone number with its country code.");
    }
    if (error.status !== 503) throw error;
    return refuse("No code can be sent there at the moment. Use another way or try later.", 503);
  }
}

/** The earlier code stays valid, so that it can still be entered. */
function tooManyCodes({ retryAfterMs = 60_000 }: RateLimitedError): CodeResult {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return {
    isDone: false,
    form: {
      values: {},
      errors: {},
      message: `The next code can be sent in ${wait}. Until then, enter the one that you have.`,
    },
    status: 429,
    hasCode: true,
  };
}

type TypedCode = Readonly<{ contact: string; code: string }>;

/** Logs in with the code that was sent to the contact. */
export async function verifyCode(
  shop: VisitedShop,
  { contact, code }: TypedCode,
): Promise<CodeResult> {
  const refuse = (text: string, status: 400 | 422): CodeResult => ({
    isDone: false,
    form: { values: {}, errors: { code: text } },
    status,
    hasCode: true,
  });
  const digits = code.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(digits)) return refuse("Enter the 6 digits of the code.", 400);
  try {
    await shop.api.auth.verifyOtp({ contact, otp_code: digits });
    return done;
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      const text = "This code is wrong, used or expired. Try again, or send another one.";
      return refuse(text, 422);
    }
    if (!(error instanceof DukaError) || ![400, 409, 422].includes(error.status)) throw error;
    return refuse(forShoppers(error), 422);
  }
}
