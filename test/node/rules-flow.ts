import type { NodeMessage } from "node-red";
import { Account } from "../../lib/runtime/account/account";
import type { Simulator } from "../../simulator/index";
import { ACCOUNT, type Config, resultOf, type TestFlow } from "./flow";

/** A send node with every rule field from a property of the same name. */
export const RULED: Config = {
  onceKey: "onceKey",
  onceKeySource: "msg",
  notBefore: "notBefore",
  notBeforeSource: "msg",
  uselessAfter: "uselessAfter",
  uselessAfterSource: "msg",
};
let last = 0;
/** Values of a message that no rule blocks. */
export const allowed = () => ({
  onceKey: `key-${++last}`,
  notBefore: Date.now() - 60_000,
  uselessAfter: "300d",
});

/** Send nodes of the other channels, without their fields of rules. */
export const OTHER_CHANNELS = [
  { type: "messaging-whatsapp-send", kind: "broadcast" },
  { type: "messaging-rcs-send", kind: "text", textMessage: "payload", textMessageSource: "msg" },
] as const;

/** Sending hours of one minute a week, four days from now in UTC: closed in any zone. */
export function closedHours(): Config {
  const day = new Date(Date.now() + 4 * 86_400_000).getUTCDay();
  return {
    sendingHours: true,
    sendingDays: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"][day],
    sendingFrom: "12:00",
    sendingTo: "12:01",
  };
}

/** The name of the status and the recipients of each result, sorted. */
export const described = (messages: readonly NodeMessage[]): string[] =>
  messages.map((msg) => `${resultOf(msg).statusName} ${resultOf(msg).recipients}`).sort();

/** Digits of those who got a message, sorted. */
export const reached = ({ main }: Simulator): string[] =>
  main.messages.flatMap(({ recipients }) => recipients.map((each) => each.replace("+", ""))).sort();

export async function optOut(flow: TestFlow, numbers: readonly string[]): Promise<void> {
  const list = await Account.of(flow.node(ACCOUNT)).optOuts();
  await list.add(numbers, "all", "flow");
}
