import type { Business } from "../../../sdk/src/index.ts";
import type { DemoShop } from "../demo.ts";
import { liveCafe } from "./cafe-life.ts";
import { liveClothes } from "./clothes-life.ts";
import type { MovedOrder } from "./move-to-past.ts";
import { people } from "./people.ts";
import { liveSalon } from "./salon-life.ts";
import { createShopper, type DemoService } from "./shopper.ts";

/** Fills a demo shop with what happened there. Returns the orders that have to become older. */
export async function liveShop(
  service: DemoService,
  merchant: Business,
  {
    kind,
    locationId,
    receiverUrl,
  }: Readonly<{
    kind: DemoShop["kind"];
    locationId: string;
    receiverUrl: string;
  }>,
): Promise<MovedOrder[]> {
  await registerReceivers(merchant, receiverUrl);
  const [moved] = await Promise.all([
    lives[kind](service, merchant, locationId),
    chat(service, merchant, kind),
  ]);
  return moved;
}

const lives: Readonly<
  Record<
    DemoShop["kind"],
    (service: DemoService, merchant: Business, locationId: string) => Promise<MovedOrder[]>
  >
> = { cafe: liveCafe, clothes: liveClothes, salon: liveSalon };

/** One receiver takes what it is sent, the other one fails. */
async function registerReceivers({ webhooks }: Business, receiverUrl: string): Promise<void> {
  const [accounting] = await Promise.all([
    webhooks.create({
      url: `${receiverUrl}received`,
      events: ["order.cancelled", "payment.refunded"],
    }),
    webhooks.create({ url: `${receiverUrl}failing`, events: ["order.cancelled"] }),
  ]);
  await webhooks.test(accounting.data.id, { event: "order.created" });
}

const questions: Readonly<Record<DemoShop["kind"], readonly [string, string]>> = {
  cafe: ["Do you have oat milk without sugar?", "Is the terrace open on Sunday?"],
  clothes: ["Does the wrap dress come in size XS?", "When does my parcel arrive?"],
  salon: ["Can I bring my daughter along?", "Do you also colour hair?"],
};

/** Two conversations: one was answered and closed, one waits. */
async function chat(service: DemoService, { conversations }: Business, kind: DemoShop["kind"]) {
  const [first, second] = people[kind];
  const [answered, waiting] = questions[kind];
  const begin = async (person: typeof first | typeof second, content: string) => {
    const { support } = createShopper(service, person).storefront;
    const { data } = await support.open();
    await support.sendMessage({ content, client_id: "demo" });
    return data.conversation.id;
  };
  const [threadId] = await Promise.all([begin(first, answered), begin(second, waiting)]);
  await conversations.sendMessage(threadId, { content: "Yes, gladly. Just ask at the counter." });
  await conversations.close(threadId);
}
