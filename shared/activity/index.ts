export {
  type ActivityState,
  anonymousState,
  findActivityState,
  type Shopper,
} from "./activity-state.ts";
export { intentOf } from "./intent.ts";
export { isMessageCode, shopperMessages } from "./messages.ts";
export {
  findRecommendations,
  type Recommendations,
  rankRecommendations,
} from "./recommendations.ts";
export { type ActivityRepo, activityMigrations, activityRepo, cartChangeEvents } from "./repo.ts";
export type { ActivityEvent } from "./session-activity.ts";
