export { cartEvents } from "./cart-events.ts";
export type { ActivityEvent } from "./event.ts";
export { findRecommendations, type Recommendations } from "./find-recommendations.ts";
export { type ActivityState, findState, type Shopper, strangersState } from "./find-state.ts";
export { intentOf } from "./intent.ts";
export { isMessageCode, messagesOf } from "./message.ts";
export { recommended } from "./recommendation.ts";
export { type ActivityRepo, activityMigrations, activityRepo } from "./repo.ts";
