export { eraseDueBusiness } from "./erase-due-business.ts";
