import type { RefusedSignIn } from "../../gateway/queue/sign-in-gate";
import { say } from "../../texts/say";
import { sayTime } from "../../texts/say-time";
import { shortReason } from "../../texts/short-reason";

/** Describes a refused sign-in without words of the service. */
export const refusalTexts = ({ signIn, verdict }: RefusedSignIn) => ({
  signIn: say(`account.sign-in.${signIn}`),
  reason: shortReason(verdict) ?? verdict.statusName,
  advice: verdict.advice,
});

export const refusalSentence = (refused: RefusedSignIn): string =>
  say("record.health.refused", { ...refusalTexts(refused), time: sayTime(refused.since, "") });
