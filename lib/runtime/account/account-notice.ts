import type { Node } from "node-red";
import type { RefusedSignIn } from "../../gateway/queue/sign-in-gate";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { sayMoment } from "../../texts/say-time";
import type { LimitUse } from "../guards/limit-warnings";
import { refusalTexts } from "./refusal-texts";

export type AccountNotice =
  | { readonly what: "stopped" | "goes-on" }
  | { readonly what: "refused"; readonly refused: RefusedSignIn }
  | { readonly what: "limit"; readonly use: LimitUse };

interface LimitStatus {
  readonly fill: "yellow";
  readonly shape: "dot" | "ring";
  readonly text: string;
  readonly limit: Omit<LimitUse, "ends"> & {
    readonly ends: string;
  };
}

function limitStatus(use: LimitUse): LimitStatus {
  const { period, messages, limit, reached, ends } = use;
  return {
    fill: "yellow",
    shape: reached ? "ring" : "dot",
    text: limitText(use, Date.now()),
    limit: { period, messages, limit, reached, ends: new Date(ends).toISOString() },
  };
}

/** Describes how much of a limit is used, and when a reached limit ends. @param now epoch ms */
export function limitText({ period, messages, limit, reached, ends }: LimitUse, now: number): string {
  const used = say(`badges.limit.${period}`, { n: formatNumber(messages), limit: formatNumber(limit) });
  return reached && ends > now ? say("badges.limit.until", { used, time: sayMoment(ends, now) }) : used;
}

function getWarning(notice: AccountNotice): string {
  if (notice.what === "refused") {
    return say("account.notice.refused", refusalTexts(notice.refused));
  }
  if (notice.what !== "limit") {
    return say(`account.notice.${notice.what}`);
  }
  const { period, messages: n, limit, reached, ends } = notice.use;
  return reached
    ? say(`account.notice.reached-${period}`, { limit, time: sayMoment(ends, Date.now()) })
    : say(`account.notice.near-${period}`, { n, limit });
}

export function accountNotifier(node: Node): (notice: AccountNotice) => void {
  return (notice) => {
    const warning = getWarning(notice);
    if (notice.what === "refused") {
      node.error(warning);
    } else {
      node.warn(warning);
    }
    if (notice.what === "limit") {
      node.status(limitStatus(notice.use));
    }
  };
}
