import { chargeTable } from "./charge-table.ts";
import { stripeCard } from "./provider-cases.ts";
import { refundTable } from "./refund-table.ts";
import { renewalTable } from "./renewal-table.ts";

chargeTable(stripeCard);
refundTable(stripeCard);
renewalTable(stripeCard);
