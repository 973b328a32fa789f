import type { Node } from "node-red";
import { NO_RULES, type RequestRules } from "../../../store/guards/request-rules";
import { formatNumber } from "../../../texts/format-number";
import { limitText } from "../../account/account-notice";
import { refusalTexts } from "../../account/refusal-texts";
import { INITIAL_STATE, type ShownState } from "../../account/sending-state";
import { say } from "../../../texts/say";
import type { SendResult } from "../../channels/send-result";
import { Throttle } from "../../node-red/throttle";
import { troubleText } from "../../node-red/trouble-text";
import { BadgeCounts } from "./badge-counts";
import { BadgeWaits } from "./badge-waits";
import { sumRecipients, countRecipients } from "./count-recipients";

/** Numbers of a csv node or a spreadsheet may have lost digits. */
export type Doubt = "rounded" | "numberCell";

const MIB = 1024 * 1024;

export class StatusBadge {
  readonly #counts = new BadgeCounts();
  readonly #doubts = new Set<Doubt>();
  #underWay = 0;
  readonly #waits = new BadgeWaits();
  #transfer: {
    readonly how: "downloading" | "uploading";
    readonly percent: number | null;
    readonly mib: number;
  } | null = null;
  #trouble: string | null = null;
  #storeTrouble: string | null = null;
  #simulated = false;
  #account = INITIAL_STATE;
  /** The last message was to cancel others and found none. */
  #nothingCancelled = false;
  readonly #throttle = new Throttle(() => this.#show());

  constructor(private readonly node: Node) {}

  set simulated(value: boolean) {
    this.#simulated = value;
    this.#throttle.now();
  }

  begin(people: number): void {
    this.#nothingCancelled = false;
    this.resume(people);
  }

  beginParts(
    parts: readonly {
      readonly recipients: readonly unknown[];
      readonly fault: unknown;
      readonly rules: RequestRules;
    }[],
  ): void {
    for (const part of parts) {
      const { scheduled, opens } = part.rules;
      if (part.rules !== NO_RULES && part.fault === null && (scheduled !== null || opens !== null)) {
        this.#waits.add(Math.max(scheduled ?? 0, opens ?? 0), countRecipients(part));
      }
    }
    this.begin(sumRecipients(parts));
  }

  /** Negative for recipients that no longer wait here. */
  resume(people: number): void {
    this.#underWay += people;
    this.#throttle.ask();
  }

  /** Progress of a file transfer in bytes; `total` is null if unknown. */
  progress(how: "downloading" | "uploading", done: number, total: number | null): void {
    const percent = total === null || total === 0 ? null : Math.floor((done / total) * 100);
    const mib = Math.floor(done / MIB);
    const { percent: shown, mib: shownMib, how: shownHow } = this.#transfer ?? {};
    if (percent !== shown || mib !== shownMib || how !== shownHow) {
      this.#transfer = { how, percent, mib };
      this.#throttle.ask();
    }
  }

  /** @param limitEnds epoch ms at which the blocking limit ends */
  end(result: SendResult, limitEnds: number | null = null): void {
    const people = countRecipients(result);
    this.#underWay -= people;
    this.#transfer = null;
    this.#counts.add(result, people, limitEnds);
    this.#trouble = null;
    this.#throttle.ask();
  }

  /** Recipients of cancelled requests are counted when their results are emitted. */
  cancelled(requests: number): void {
    this.#nothingCancelled = requests === 0;
    this.#trouble = null;
    this.#throttle.ask();
  }

  /** Shows a setup error until the next request ends. */
  trouble(error: unknown): void {
    this.#trouble = troubleText(error);
    this.#throttle.ask();
  }

  /** Shows an error of the store until the store works again (null). */
  storeTrouble(error: Error | null): void {
    const text = error === null ? null : troubleText(error);
    if (text !== this.#storeTrouble) {
      this.#storeTrouble = text;
      this.#throttle.ask();
    }
  }

  showAccount(state: ShownState): void {
    const { stopped, refused, limit, heldUntil, elsewhere } = this.#account;
    const isSame = stopped === state.stopped && refused === state.refused && elsewhere === state.elsewhere;
    if (!isSame || limit !== state.limit || heldUntil !== state.heldUntil) {
      this.#account = state;
      this.#throttle.ask();
    }
  }

  /** Shows from now on that values may be wrong. @returns false if it does already */
  doubt(doubt: Doubt): boolean {
    if (this.#doubts.has(doubt)) {
      return false;
    }
    this.#doubts.add(doubt);
    this.#throttle.ask();
    return true;
  }

  close(): void {
    this.#throttle.close();
  }

  #show(): void {
    const parts: string[] = this.#simulated ? [say("badges.status.simulated")] : [];
    const trouble = this.#trouble ?? this.#storeTrouble;
    if (trouble !== null) {
      this.node.status({ fill: "red", shape: "ring", text: [...parts, trouble].join(" · ") });
      return;
    }
    const { stopped, refused, limit, heldUntil, elsewhere } = this.#account;
    if (stopped) {
      parts.push(say("badges.status.stopped"));
    }
    parts.push(...refused.map((each) => say("badges.status.refused", refusalTexts(each))));
    parts.push(...this.#counts.texts());
    if (this.#nothingCancelled) {
      parts.push(say("badges.status.nothingCancelled"));
    }
    if (this.#underWay > 0) {
      parts.push(this.#activity());
    }
    if (limit !== null) {
      const now = Date.now();
      const isHeld = heldUntil !== null && heldUntil > now;
      parts.push(limitText(isHeld ? { ...limit, reached: true, ends: heldUntil } : limit, now));
    }
    if (elsewhere > 0) {
      parts.push(say("badges.status.elsewhere", { n: formatNumber(elsewhere) }));
    }
    parts.push(...[...this.#doubts].map((doubt) => say(`badges.status.${doubt}`)));
    const text = parts.join(" · ");
    const worst = this.#counts.fill;
    const isUnderWay = this.#underWay > 0;
    const notice =
      stopped || limit !== null || elsewhere > 0 || this.#doubts.size > 0
        ? "yellow"
        : isUnderWay
          ? "blue"
          : null;
    const isQuiet = worst === null || worst === "green" || worst === "grey";
    const isRefused = refused.length > 0;
    const fill = isRefused ? "red" : isQuiet ? (notice ?? worst) : worst;
    if (fill !== null) {
      this.node.status({ fill, shape: stopped || isRefused || isUnderWay ? "ring" : "dot", text });
    } else {
      this.node.status(text === "" ? {} : { fill: "grey", shape: "ring", text });
    }
  }

  #activity(): string {
    if (this.#account.stopped) {
      return say("badges.status.waiting", { n: formatNumber(this.#underWay) });
    }
    const waits = this.#waits.text(this.#underWay, this.#account.heldUntil);
    if (waits !== null) {
      return waits;
    }
    const transfer = this.#transfer;
    if (transfer === null || this.#underWay > 1) {
      return say("badges.status.underWay", { n: formatNumber(this.#underWay) });
    }
    const { how, percent, mib } = transfer;
    return percent === null
      ? say(`badges.status.${how}MiB`, { n: mib })
      : say(`badges.status.${how}`, { n: percent });
  }
}
