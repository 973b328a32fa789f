import assert from "node:assert/strict";
import type { RecordedRequest } from "../../simulator/index";
import type { SendResult } from "../../lib/runtime/channels/send-result";
import {
  accountAt,
  type Config,
  type FlowOptions,
  resultOf,
  startFlow,
  stopFlow,
  type TestFlow,
} from "./flow";
import { useSimulator } from "./use-simulator";

/** The JSON that a request carried. */
export const bodyOf = (request: RecordedRequest | undefined): unknown =>
  JSON.parse(Buffer.from(request?.rawBody ?? "", "latin1").toString("utf8"));

/** A simulator for one `describe`, and flows with one send node against it that end with their test. */
export class SimulatedService {
  readonly simulator = useSimulator(() => ({ keepRefusedBodies: true }));

  /** @param sender what the send node of each flow has in common */
  constructor(private readonly sender: Config) {}

  /** Requests to the service, without those for tokens. */
  get requests(): readonly RecordedRequest[] {
    return this.simulator.main.requests.filter(({ path }) => path !== "/oauth/token");
  }

  start(sender: Config = {}, options: FlowOptions = {}): Promise<TestFlow> {
    const real = accountAt(this.simulator);
    return startFlow({
      ...real,
      ...options,
      account: { ...real.account, ...options.account },
      sender: { ...this.sender, ...sender },
    });
  }

  /** Sends one message that must be accepted, and gives the body that the service saw and the result. */
  async accepted(sender: Config, msg: Config): Promise<{ body: unknown; result: SendResult }> {
    const { send, all } = await this.start(sender);
    send({ ...msg });
    const result = resultOf((await all.until(1))[0]);
    assert.equal(result.outcome, "sent", result.statusMessage);
    const body = bodyOf(this.requests.at(-1));
    await stopFlow();
    return { body, result };
  }

  /**
   * Sends one message that must be refused on this side, before any request. Gives the result and its
   * sentence without the parameter of the service.
   */
  async refused(sender: Config, msg: Config): Promise<SendResult & { readonly detail: string }> {
    const { send, all } = await this.start(sender);
    const before = this.requests.length;
    send({ ...msg });
    const result = resultOf((await all.until(1))[0]);
    assert.deepEqual(
      [result.outcome, result.source, result.statusCode, result.attempts],
      ["rejected", "local", null, 0],
    );
    assert.equal(this.requests.length, before, "nothing may reach the service");
    await stopFlow();
    const detail = result.statusMessage.replace(/(?: \([^()]*\))?\.$/, "");
    assert.notEqual(detail, result.statusMessage);
    return { ...result, detail };
  }
}
