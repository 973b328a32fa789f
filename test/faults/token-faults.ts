import { waitFor } from "../support/wait-for";
import { answer } from "../support/http/fault-server";
import type { Fault, Scene } from "./fault";
import type { Treatment } from "./fault-proxy";
import { IMPATIENT } from "./gateway-faults";

/** Every token issued so far becomes worthless, and for some seconds new ones are had only in this way. */
const forSeconds =
  (seconds: number, onRequest: Treatment) =>
  async ({ tokens, simulator, pass }: Scene): Promise<void> => {
    tokens.disturb({ every: 1, onRequest });
    simulator.main.revokeTokens();
    await pass(seconds);
    // On a busy machine a second in haste may pass before anybody asks for a token.
    await waitFor("a request for a token", () => tokens.hits > 0);
    tokens.disturb(null);
  };

/** A refusal is remembered for a moment, so that nobody is locked out; this is longer. */
const REMEMBERED = 6;

export const TOKEN_FAULTS: readonly Fault[] = [
  {
    name: "token service away",
    effect: "retried",
    during: async ({ tokens, simulator, pass }) => {
      simulator.main.revokeTokens();
      await tokens.away(() => pass(20));
    },
  },
  {
    name: "token service slow",
    effect: "retried",
    during: forSeconds(
      20,
      async (exchange) =>
        void setTimeout((bytes: Buffer) => exchange.answer(bytes), 300, await exchange.forward()),
    ),
  },
  {
    name: "token service silent",
    effect: "retried",
    account: IMPATIENT,
    during: forSeconds(30, () => {}),
  },
  {
    name: "token service breaks the connection",
    effect: "retried",
    during: forSeconds(20, ({ socket }) => void socket.resetAndDestroy()),
  },
  {
    name: "token service cuts its answer",
    effect: "retried",
    during: forSeconds(20, async ({ forward, socket }) => {
      const bytes = await forward();
      socket.end(bytes.subarray(0, bytes.length - 20));
    }),
  },
  {
    name: "token service answers with a page of something else",
    effect: "retried",
    during: forSeconds(20, ({ answer: whole }) => whole(answer(200, "<html>Please sign in</html>"))),
  },
  {
    name: "token service has a fault of its own",
    effect: "retried",
    during: forSeconds(20, ({ answer: whole }) => whole(answer(500, ""))),
  },
  {
    name: "token service refuses the client for a while",
    effect: "refused",
    during: async (scene) => {
      const refusal = answer(401, JSON.stringify({ error: "invalid_client" }));
      await forSeconds(10, ({ answer: whole }) => whole(refusal))(scene);
      await scene.pass(REMEMBERED);
    },
  },
  {
    name: "token service gives tokens that the service does not know",
    effect: "refused",
    during: forSeconds(10, ({ answer: whole }) =>
      whole(answer(200, JSON.stringify({ access_token: "nobody-knows-it", expires_in: 300 }))),
    ),
  },
  {
    name: "tokens revoked again and again",
    effect: "retried",
    // Far enough apart that a message which fetched a new token has used it by then.
    disturbance: ({ simulator }) => ({
      every: 60,
      onRequest: async ({ forward, answer: whole }) => {
        simulator.main.revokeTokens();
        whole(await forward());
      },
    }),
  },
];
