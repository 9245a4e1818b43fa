import { faultTable } from "./fault-table.ts";
import { furtherAnswers, isWhole, mobileMoney } from "./methods.ts";

for (const method of [mobileMoney, ...(isWhole ? furtherAnswers : [])]) faultTable(method);
