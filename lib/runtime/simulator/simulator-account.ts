import type { PanelPicture } from "../../shared/simulator-panel";

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

export interface SimulatorMessage {
  readonly transferId: string;
  readonly at: number;
  readonly channel: string;
  readonly recipients: readonly string[];
  readonly content: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly test: boolean;
}

export interface SimulatorAccount {
  readonly messages: readonly SimulatorMessage[];
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
  readonly templates: readonly {
    readonly templateName: string;
    readonly templateLocale: string;
    readonly text: string;
  }[];
  /** Adds or replaces a template. @throws TypeError for an invalid one */
  addTemplate(template: SimulatorAccount["templates"][number]): void;
  addFault(rule: { readonly answer: { readonly statusCode: number } }): string;
  clearFaults(): void;
}

/** Replies to voice messages and flash SMS are SMS. */
export function channelOf(channel: string): "sms" | "whatsapp" | "rcs" {
  return channel === "whatsapp" || channel === "rcs" ? channel : "sms";
}
