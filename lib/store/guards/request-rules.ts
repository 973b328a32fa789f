/** Sends a message once for a key: to the same recipient not again within a time. */
export interface Once {
  /** Made by the flow, such as `invoice-4711`. At most 200 characters. */
  readonly key: string;
  /** ms from the moment it leaves, for which the key is in use. */
  readonly within: number;
  /** Of the content without recipients and ids: the same key with another one is a fault. */
  readonly hash: string;
}

/** What a request has to keep to when it leaves. The same object serves all requests of a message. */
export interface RequestRules {
  /** Epoch ms before which it does not leave; null for at once. */
  readonly scheduled: number | null;
  /** Epoch ms from which it is not sent any more; null for never. */
  readonly uselessAfter: number | null;
  readonly once: Once | null;
  /** Whether it goes to people who opted out as well, such as the confirmation of an opt-out. */
  readonly alsoOptedOut: boolean;
  /** `contentCategory` of the message; blank where it has none. */
  readonly category: string;
  /** Billed messages for each recipient, at least 1: segments of an SMS. */
  readonly cost: number;
  /** Time zone whose sending hours it keeps, such as `Europe/Zurich`; blank for those of the account's settings, null where it may leave at any hour. */
  readonly zone: string | null;
}

export const NO_RULES: RequestRules = {
  scheduled: null,
  uselessAfter: null,
  once: null,
  alsoOptedOut: false,
  category: "",
  cost: 1,
  zone: null,
};
