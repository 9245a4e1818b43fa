import {
  type ActivityEvent,
  isMessageCode,
  type Shopper,
} from "../../../../shared/activity/index.ts";
import type { IdempotentRequest } from "../../../runtime/objects/stored-responses.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { Session } from "./session.ts";

export type RecordedActivity = Readonly<{
  events: readonly ActivityEvent[];
  /**
   * Identifies a repeated request, which records nothing again. Null without an Idempotency-Key.
   */
  requestKey: string | null;
}>;

export function shopperOf({ storage }: Session): Shopper {
  return { activity: storage.activity.read(runtime.now()), cart: storage.carts.get() };
}

export function recordActivity(
  session: Session,
  { events, requestKey }: RecordedActivity,
): Shopper {
  const { activity, responses } = session.storage;
  const request = requestKey === null ? null : activityRequest(requestKey);
  const isRepeat = request !== null && responses.find(request, runtime.now()) !== null;
  if (events.length > 0 && !isRepeat) {
    session.storage.write((now) => {
      activity.record(events, now);
      if (request) responses.save(request, { ok: true, value: null }, now);
    });
  }
  return shopperOf(session);
}

/** `key` is derived from the request's body, so no fingerprint of the body is needed. */
const activityRequest = (key: string): IdempotentRequest => ({
  route: "POST /activity/events",
  key,
  fingerprint: "",
});

/** Dismisses a message. Unknown codes are ignored, so that clients cannot store arbitrary texts. */
export function dismissMessage(session: Session, code: string): Shopper {
  if (isMessageCode(code)) {
    session.storage.write((now) => session.storage.activity.dismiss(code, now));
  }
  return shopperOf(session);
}
