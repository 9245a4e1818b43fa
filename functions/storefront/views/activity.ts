import { z } from "@hono/zod-openapi";
import type { ActivityState, Recommendations } from "../../../shared/activity/index.ts";
import { type Incentive, intents } from "../../../shared/businesses/index.ts";

const ActivityView = z
  .object({
    viewed_products: z.array(z.object({ product_id: z.string(), count: z.number().int() })),
    viewed_categories: z.array(z.object({ category_id: z.string(), count: z.number().int() })),
    search_count: z.number().int(),
  })
  .openapi("Activity");

const IncentiveView = z
  .object({ template_id: z.string(), agent_id: z.string() })
  .openapi("Incentive");

export const MessagesView = z.array(
  z
    .object({ code: z.string(), title: z.string(), severity: z.enum(["info", "warning"]) })
    .openapi("ActivityMessage"),
);

export const IntentView = z.enum(intents).openapi("Intent");

export const ActivityStateView = z
  .object({
    activity: ActivityView.nullable(),
    intent: IntentView,
    messages: MessagesView,
    incentive: IncentiveView.nullable(),
  })
  .openapi("ActivityState");

export const RecommendationsView = z
  .object({
    recommendations: z.array(
      z.object({
        product: z.object({ id: z.string(), name: z.string() }),
        reason: z.string(),
      }),
    ),
    intent: IntentView,
    incentive: IncentiveView.nullable(),
  })
  .openapi("Recommendations");

export const viewActivityState = (state: ActivityState): z.infer<typeof ActivityStateView> => ({
  activity: viewActivity(state.activity),
  intent: state.intent,
  messages: viewMessages(state),
  incentive: viewIncentive(state.incentive),
});

export const viewMessages = ({
  messages,
}: Pick<ActivityState, "messages">): z.infer<typeof MessagesView> => [...messages];

export const viewRecommendations = ({
  recommendations,
  intent,
  incentive,
}: Recommendations): z.infer<typeof RecommendationsView> => ({
  recommendations: recommendations.map(({ id, name, reason }) => ({
    product: { id, name },
    reason,
  })),
  intent,
  incentive: viewIncentive(incentive),
});

const viewActivity = (activity: ActivityState["activity"]): z.infer<typeof ActivityView> | null =>
  activity && {
    viewed_products: activity.products.map(({ productId, count }) => ({
      product_id: productId,
      count,
    })),
    viewed_categories: activity.categories.map(({ categoryId, count }) => ({
      category_id: categoryId,
      count,
    })),
    search_count: activity.searchCount,
  };

const viewIncentive = (incentive: Incentive | null): z.infer<typeof IncentiveView> | null =>
  incentive && { template_id: incentive.templateId, agent_id: incentive.agentId };
