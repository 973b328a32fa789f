import type { PanelPicture } from "../../shared/simulator-panel";

/** An inbound message, tap or status that the simulator is to send to webhooks. */
export type Incoming =
  | {
      readonly event: "inbound";
      readonly sender: string;
      readonly content: string;
      readonly type: string;
      readonly applicationId?: string;
      readonly media?: PanelPicture;
    }
  | { readonly event: "sms"; readonly sender: string; readonly content: string }
  | {
      readonly event: "tap";
      readonly transferId: string;
      readonly suggestion: number;
      readonly recipient?: string;
    }
  | {
      readonly event: "status";
      readonly transferId: string;
      readonly status: string;
      readonly recipient?: string;
    };

/** A message that the simulator has taken; only the members that the panel uses. */
export interface SimulatorMessage {
  readonly transferId: string;
  readonly at: number;
  /** `whatsapp`, `rcs`, or a kind of SMS. */
  readonly channel: string;
  readonly recipients: readonly string[];
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly test: boolean;
}

/** An account of the simulator; only the members that the panel uses. */
export interface SimulatorAccount {
  /** Oldest first. */
  readonly messages: readonly SimulatorMessage[];
  /** Messages of recipients, oldest first. */
  readonly received: readonly {
    readonly at: number;
    readonly channel: string;
    readonly sender: string;
    readonly content: string;
    readonly mediaId: string | null;
    readonly tapped: string | null;
  }[];
  readonly webhooks: readonly { readonly kind: "inbound" | "status" }[];
  readonly faultPlan: readonly { readonly rule: { readonly answer: object } }[];
  /** Suggestions of a message: those on its cards, then those below it. */
  suggestions(transferId: string): readonly {
    readonly kind: "reply" | "action";
    readonly displayText: string;
    readonly data: string | null;
    readonly action: string | null;
    readonly target: string | null;
    readonly card: number | null;
  }[];
  /** @throws TypeError for invalid input */
  receive(incoming: Incoming): unknown;
  /** Approved templates, those added last at the end. */
  readonly templates: readonly {
    readonly templateName: string;
    readonly templateLocale: string;
    readonly text: string;
  }[];
  /** Adds a template, or replaces the one with the same name and locale. @throws TypeError for an invalid one */
  addTemplate(template: SimulatorAccount["templates"][number]): void;
  addFault(rule: { readonly answer: { readonly statusCode: number } }): string;
  clearFaults(): void;
}

/** The channel of a reply: voice messages and flash SMS get an SMS. */
export function channelOf(channel: string): "sms" | "whatsapp" | "rcs" {
  return channel === "whatsapp" || channel === "rcs" ? channel : "sms";
}
