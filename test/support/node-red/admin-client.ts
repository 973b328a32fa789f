import { waitFor } from "../wait-for";

/** A node or tab as flow files hold it. */
export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly z?: string;
  readonly name?: string;
  readonly wires?: readonly (readonly string[])[];
  readonly [property: string]: unknown;
}

export type Flows = readonly FlowNode[];

/** How much of the flows a deploy restarts, in the words of Node-RED's admin API. */
export type DeployType = "full" | "nodes" | "flows" | "reload";

/** A message on its way from an output of one node to another node. */
export interface RecordedMessage {
  readonly from: string;
  readonly port: number;
  readonly to: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages are what flows make of them.
  readonly msg: any;
}

/** What the recorder inside Node-RED noted since it was last cleared. */
export interface Recording {
  readonly messages: readonly RecordedMessage[];
  /** Times that the flows were started. */
  readonly starts: number;
}

/** Node-RED's admin API, as far as tests use it. */
export class AdminClient {
  /** Ids of the messaging accounts that were deployed here. */
  readonly accounts = new Set<string>();

  constructor(readonly url: string) {}

  /** The answer's body as JSON, or as text where it is none. Rejects for a status outside 200 to 299. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        // Node-RED ends a connection that was idle for some seconds, perhaps in the moment in which the next request is sent on it.
        connection: "close",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }

  /** Deploys and waits until the flows were started. */
  async deploy(flows: Flows, type: DeployType = "full"): Promise<void> {
    const { starts } = await this.recording();
    for (const { id, type: nodeType } of flows) if (nodeType === "messaging-account") this.accounts.add(id);
    await this.request(
      "POST",
      "/flows",
      { flows },
      {
        "node-red-api-version": "v2",
        "node-red-deployment-type": type,
      },
    );
    await waitFor("the flows to start", async () => (await this.recording()).starts > starts);
  }

  async flows(): Promise<Flows> {
    return (await this.request("GET", "/flows")) as Flows;
  }

  /** Presses the button of an inject node, which may still be starting: then nothing is pressed yet. @param input as the editor's own dialog gives it */
  async inject(nodeId: string, input: object = {}): Promise<void> {
    await waitFor(`the inject node ${nodeId}`, () =>
      this.request("POST", `/inject/${nodeId}`, input).then(
        () => true,
        (error: Error) => {
          if (!error.message.includes(": 404 ")) throw error;
          return false;
        },
      ),
    );
  }

  async recording(): Promise<Recording> {
    return (await this.request("GET", "/test-recorder")) as Recording;
  }

  async clearRecording(): Promise<void> {
    await this.request("DELETE", "/test-recorder");
  }

  /** Waits until this many messages left an output of a node, and gives them. */
  messages(nodeId: string, port: number, count = 1, deadline?: number): Promise<readonly RecordedMessage[]> {
    let seen: readonly RecordedMessage[] = [];
    return waitFor(
      () => `${count} messages from output ${port + 1} of ${nodeId}; there were ${seen.length}`,
      async () => {
        const { messages } = await this.recording();
        seen = messages.filter(({ from, port: at }) => from === nodeId && at === port);
        return seen.length >= count && seen;
      },
      deadline,
    );
  }

  /** Waits for a message from any output of a node. */
  nextFrom(nodeId: string): Promise<RecordedMessage> {
    return waitFor(`a message from ${nodeId}`, async () =>
      (await this.recording()).messages.find(({ from }) => from === nodeId),
    );
  }
}
