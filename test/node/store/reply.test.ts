import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Node } from "node-red";
import helper from "node-red-node-test-helper";
import { Account } from "../../../lib/runtime/account/account";
import {
  planReply,
  replyForm,
  type ReplyPlace,
  replyState,
  takeReply,
} from "../../../lib/runtime/send/replies/typed-replies";
import { openStore } from "../../../lib/runtime/store/open-store";
import type { Replied, ReplyPlan, ReplyState } from "../../../lib/shared/history/typed-reply";
import type { PostgresqlSettings } from "../../../lib/store/engine/postgresql/postgresql-settings";
import { usePostgresql } from "../../support/store/use-postgresql";
import { inLanguage } from "../../../lib/texts/say";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, accountAt, SENDER, startFlow, stopFlow, type TestFlow } from "../flow";
import { closedHours } from "../rules-flow";
import { useSimulator } from "../use-simulator";
import {
  type Config,
  deployWith,
  ears,
  inStore,
  requestCount,
  startStored,
  storeOf,
  textsAt,
} from "./stored-flow";

/** The simulator takes a text by WhatsApp to this number at any time. */
const PERSON = "99955500001";
const OTHER = "99955500002";

/** Where it is noon, so that no day ends in a test. */
const hour = new Date().getUTCHours();
const NOON_ZONE = `Etc/GMT${hour < 12 ? "-" : "+"}${Math.abs(12 - hour)}`;

const { _events: events } = helper as unknown as { readonly _events: NodeJS.EventEmitter };
/** Deploys changes of nodes by their ids, and waits until the flows run. */
async function redeploy(type: "nodes" | "full", changes: Readonly<Record<string, Config>>): Promise<void> {
  const started = once(events, "flows:started");
  await deployWith(type, changes);
  await started;
}
/** The person has written. */
const WROTE = `INSERT INTO events (account, event_key, kind, number, rank, at, received_at, applied)
  VALUES ('${ACCOUNT}', 'e', 'inbound', '${PERSON}', 0, ${Date.now()}, ${Date.now()}, 1) ON CONFLICT DO NOTHING`;

const same = <Made>(make: () => Made): Made => make();
const inGerman = <Made>(make: () => Made): Made => inLanguage("de", make);

const whereOf = async (flow: TestFlow, account: Node = flow.account): Promise<ReplyPlace> => ({
  account: Account.of(account),
  place: (await Account.of(account).store()) ?? assert.fail("no store"),
});
const newId = async (where: ReplyPlace): Promise<string> =>
  `${(await replyForm(where, PERSON, same)).begin}${randomUUID()}`;
const typedOf = (text: string, node = SENDER) => ({ digits: PERSON, node, text });
const plan = (where: ReplyPlace, text: string, node?: string): Promise<ReplyPlan> =>
  planReply(where, typedOf(text, node), same);
async function shownFor(where: ReplyPlace, text: string): Promise<string> {
  const planned = await plan(where, text);
  return planned.refused === null ? planned.shown : assert.fail(planned.refused);
}
const take = (where: ReplyPlace, id: string, text: string, shown: string): Promise<Replied> =>
  takeReply(where, { ...typedOf(text), id, shown }, same);
/** As the editor does it: plans, and sends what was shown. */
const reply = async (where: ReplyPlace, text: string, id?: string): Promise<Replied> =>
  take(where, id ?? (await newId(where)), text, await shownFor(where, text));
const why = (replied: Replied): string => (replied.what === "refused" ? replied.why : replied.what);

describe("a reply that a person types", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  async function start(sender: Config = {}, account: Config = {}, more: object = {}): Promise<TestFlow> {
    const flow = await startStored(simulator, folder(), {
      account: { keepTexts: true, ...account },
      sender,
      ...more,
    });
    await storeOf(flow);
    await inStore(folder(), WROTE);
    return flow;
  }
  const done = (count: number) =>
    waitFor("all done in the store", async () => (await requestCount(folder(), "emitted")) === count);
  const nodesOf = async (flow: TestFlow) => (await replyForm(await whereOf(flow), PERSON, same)).nodes;
  const outcome = (where: ReplyPlace, id: string): Promise<ReplyState> =>
    waitFor("the outcome", async () => {
      const found = await replyState(where, id, same);
      return found.outcome === null ? null : found;
    });

  it("is sent as it is, with the fixed settings of its node, and leaves no output", async () => {
    const flow = await start({
      braces: "fill",
      name: "Answers",
      messageContent: "Dear {{name}}",
      messageContentSource: "str",
      senderAddress: "Shop",
      senderAddressSource: "str",
      sendAsFlashSms: "true",
      sendAsFlashSmsSource: "bool",
      clientMessageId: "order {{id}}",
      clientMessageIdSource: "str",
      onceKey: "welcome",
      onceKeySource: "str",
      notBefore: "in 2 days",
      notBeforeSource: "str",
      validityPeriode: "v",
      validityPeriodeSource: "msg",
    });
    const where = await whereOf(flow);
    const { begin, nodes } = await replyForm(where, PERSON, same);
    assert.deepEqual(nodes, [{ node: SENDER, name: "Answers", channel: "sms", why: null }]);
    const text = `Yes, {{name}} at ten${" and more".repeat(20)}`;
    const planned = await plan(where, text);
    assert.deepEqual(planned.refused === null && planned.facts, {
      number: `+${PERSON}`,
      name: "Answers",
      channel: "sms",
      sender: "Shop",
      flash: true,
      cost: 2,
      leavesAt: null,
      heldUntil: null,
      stopped: false,
      simulated: false,
    });
    assert.equal(await requestCount(folder()), 0, "a plan keeps nothing");
    const uuid = randomUUID();
    const id = begin + uuid;
    assert.deepEqual(await reply(where, text, id), { what: "taken" });
    assert.deepEqual(await outcome(where, id), { taken: true, state: "done", outcome: "sent", text: "" });
    await done(1);
    const [sent, ...more] = simulator.main.messages;
    assert.deepEqual(
      [more, sent?.content, sent?.recipients, sent?.fields.senderAddress, sent?.clientMessageId],
      [[], text, [PERSON], "Shop", uuid],
    );
    assert.deepEqual([flow.all.messages, flow.caught.messages], [[], []]);
    const { store, account } = await storeOf(flow);
    const asked = { account, number: PERSON, since: 0, most: 9, unsent: true };
    const { messages } = await store.history.conversation(asked);
    assert.deepEqual(
      messages.map((each) => each.direction === "in" || each.typed),
      [true, true],
      "a flow sees that somebody typed it",
    );
  });

  it("is sent once by its id, however often it is asked for, also after a restart", async () => {
    const flow = await start();
    const where = await whereOf(flow);
    const id = await newId(where);
    const shown = await shownFor(where, "Hello");
    assert.deepEqual((await replyState(where, id, same)).taken, false);
    const answers = await Promise.all([1, 2, 3].map(() => take(where, id, "Hello", shown)));
    assert.deepEqual(answers.map(({ what }) => what).sort(), ["earlier", "earlier", "taken"]);
    await outcome(where, id);
    assert.equal(why(await reply(where, "Another text", id)), "earlier");
    await done(1);
    await stopFlow();
    const after = await whereOf(await start());
    assert.equal(why(await take(after, id, "Hello", shown)), "earlier");
    assert.deepEqual((await replyState(after, id, same)).outcome, "sent");
    await after.place.store.retention.deleteNumber(PERSON);
    assert.match((await plan(after, "Hello")).refused ?? "", /no message of or to this person/);
    assert.equal(
      why(await take(after, id, "Hello", shown)),
      "earlier",
      "who was deleted gets it no second time",
    );
    assert.deepEqual(await replyState(after, id, same), {
      taken: true,
      state: null,
      outcome: null,
      text: "",
    });
    assert.deepEqual(textsAt(simulator), ["Hello"]);
  });

  it("is not sent where a deploy has changed what would be sent, and is where it has changed nothing", async () => {
    const changes: readonly Readonly<Record<string, Config>>[] = [
      { [SENDER]: { senderAddress: "Other", senderAddressSource: "str" } },
      { [SENDER]: { name: "Renamed" } },
      { [SENDER]: { contentCategory: "informational", contentCategorySource: "choice" } },
      { [ACCOUNT]: { serviceAddress: "http://127.0.0.1:9" } },
      { [ACCOUNT]: { stopSending: true } },
      { [SENDER]: { interface: "json" } },
      { [ACCOUNT]: closedHours() },
    ];
    for (const change of changes) {
      const flow = await start({}, {}, { register: [ears()] });
      const before = await whereOf(flow);
      const id = await newId(before);
      const shown = await shownFor(before, "Hello");
      await redeploy("nodes", change);
      const where = await whereOf(flow, flow.node(ACCOUNT));
      assert.match(why(await take(where, id, "Hello", shown)), /^Nothing was sent: the node, its account/);
      assert.equal((await replyState(where, id, same)).taken, false);
      await stopFlow();
    }
    assert.equal(await requestCount(folder()), 0);
    const flow = await start({}, {}, { register: [ears()] });
    const before = await whereOf(flow);
    const id = await newId(before);
    const shown = await shownFor(before, "Hello");
    await redeploy("full", {});
    const where = await whereOf(flow, flow.node(ACCOUNT));
    assert.equal(
      why(await take(where, id, "Hello!", shown)).slice(0, 17),
      "Nothing was sent:",
      "another text",
    );
    assert.equal(why(await take(where, id, "Hello", shown)), "taken");
    await outcome(where, id);
    assert.deepEqual(textsAt(simulator), ["Hello"]);
  });

  it("is not sent to another person than it was shown for, nor by another node", async () => {
    const twin = { id: "twin", type: "sms-send", account: ACCOUNT, outputs: 4 };
    const flow = await start({}, {}, { more: [twin] });
    const where = await whereOf(flow);
    const other = { ...typedOf("Hello"), digits: OTHER };
    await inStore(folder(), WROTE.replaceAll(PERSON, OTHER).replace("'e'", "'f'"));
    const shown = await shownFor(where, "Hello");
    for (const typed of [other, typedOf("Hello", "twin")]) {
      assert.equal((await planReply(where, typed, same)).refused, null);
      const taken = await takeReply(where, { ...typed, id: await newId(where), shown }, same);
      assert.match(why(taken), /has changed since it was shown/);
    }
    assert.equal(await requestCount(folder()), 0);
  });

  it("is not sent with another access token than when it was shown, and shows none", async () => {
    const token = { legacyAuth: "token-header" };
    const flow = await start({}, token, { register: [ears()], credentials: { accessToken: "one" } });
    const before = await whereOf(flow);
    const id = await newId(before);
    const shown = await shownFor(before, "Hello");
    assert.doesNotMatch(JSON.stringify(before.account.destination), /one/);
    await redeploy("nodes", { [ACCOUNT]: { credentials: { accessToken: "two" } } });
    const where = await whereOf(flow, flow.node(ACCOUNT));
    assert.match(why(await take(where, id, "Hello", shown)), /^Nothing was sent: the node, its account/);
    await redeploy("nodes", { [ACCOUNT]: { credentials: { accessToken: "one" } } });
    const again = await whereOf(flow, flow.node(ACCOUNT));
    assert.equal(await shownFor(again, "Hello"), shown);
    assert.equal(await requestCount(folder()), 0);
  });

  it("is not sent by a node that is gone, nor by one that closes meanwhile", async () => {
    const flow = await start({}, {}, { register: [ears()] });
    const where = await whereOf(flow);
    const id = await newId(where);
    const shown = await shownFor(where, "Hello");
    assert.match(
      why(await takeReply(where, { ...typedOf("Hello", "nobody"), id, shown }, same)),
      /does not run/,
    );
    const { moves } = where.place.store;
    const place = moves.place.bind(moves);
    let asked = 0;
    // The node closes between the last thing that is asked and what is written.
    Object.assign(moves, {
      place: async () => {
        const found = await place();
        if (++asked === 2) void flow.sender.close(false);
        return found;
      },
    });
    assert.match(why(await take(where, id, "Hello", shown)), /has changed since it was shown/);
    assert.equal(asked, 2);
    assert.equal(await requestCount(folder()), 0);
  });

  it("is refused with an old form, and one of another place of the messages", async () => {
    const where = await whereOf(await start());
    const id = await newId(where);
    const shown = await shownFor(where, "Hello");
    const [time = "", place = ""] = id.split("-");
    const aged = (Number.parseInt(time, 36) - 12 * 3_600_000 - 1).toString(36);
    for (const wrong of [id.replace(time, aged), id.replace(place, "A".repeat(12))]) {
      assert.match(why(await take(where, wrong, "Hello", shown)), /this form is too old/);
      assert.equal((await replyState(where, wrong, same)).taken, null);
    }
    assert.equal(await requestCount(folder()), 0);
  });

  it("keeps to opt-outs, also of a node that confirms them, countries and sending hours", async () => {
    const flow = await start({
      alsoOptedOut: true,
      contentCategory: "informational",
      contentCategorySource: "choice",
    });
    const where = await whereOf(flow);
    const id = await newId(where);
    const shown = await shownFor(where, "Hello");
    await (await where.account.optOuts()).add([PERSON], "all", "flow");
    assert.match((await plan(where, "Hello")).refused ?? "", /do not want messages of this account/);
    assert.match((await nodesOf(flow))[0]?.why ?? "", /do not want messages/);
    assert.match(why(await take(where, id, "Hello", shown)), /do not want messages/);
    await (await where.account.optOuts()).remove([PERSON]);
    await stopFlow();
    const abroad = await start({}, { allowedCountries: "DE" });
    assert.match((await plan(await whereOf(abroad), "Hello")).refused ?? "", /countr/i);
    await stopFlow();
    const closed = await start({}, { ...closedHours(), sendingAction: "refuse" });
    assert.match((await plan(await whereOf(closed), "Hello")).refused ?? "", /hours/);
    await stopFlow();
    const waits = await whereOf(await start({}, closedHours()));
    const planned = await plan(waits, "Hello");
    const { leavesAt } = planned.refused === null ? planned.facts : assert.fail(planned.refused);
    assert.ok(new Date(leavesAt ?? 0).getTime() > Date.now());
    assert.equal(why(await reply(waits, "Hello")), "taken");
    // A queue that starts looks at what waits for hours, and puts it back.
    await waitFor("it to wait for the hours", async () => {
      const [row] = await inStore(folder(), "SELECT state, due FROM requests");
      return row?.state === "queued" && row.due === new Date(leavesAt ?? 0).getTime();
    });
    assert.deepEqual(textsAt(simulator), []);
  });

  it("counts for the limits of the account, and is held back by them", async () => {
    const where = await whereOf(await start({}, { limitNumberDay: "1", limitAction: "refuse" }));
    const ids = [await newId(where), await newId(where)];
    for (const id of ids) {
      assert.equal(why(await reply(where, "Hello", id)), "taken");
      await outcome(where, id);
    }
    assert.equal((await outcome(where, ids[0] ?? "")).outcome, "sent");
    const [, second = ""] = ids;
    const held = await outcome(where, second);
    assert.deepEqual([held.outcome, /limit/i.test(held.text)], ["skipped", true]);
    assert.deepEqual(textsAt(simulator), ["Hello"]);
  });

  it("says before that a limit of the account is used up", async () => {
    const limited = { limitDay: "1", timeZone: NOON_ZONE };
    const refuses = await whereOf(await start({}, { ...limited, limitAction: "refuse" }));
    const first = await newId(refuses);
    const shown = await shownFor(refuses, "Hello");
    assert.equal(why(await take(refuses, first, "Hello", shown)), "taken");
    await outcome(refuses, first);
    assert.match((await plan(refuses, "Hello")).refused ?? "", /1 messages a day/);
    assert.match(why(await take(refuses, await newId(refuses), "Hello", shown)), /1 messages a day/);
    await stopFlow();

    // One of two was sent already.
    const where = await whereOf(await start({}, { ...limited, limitDay: "2" }));
    const before = await plan(where, "Hello");
    assert.equal(before.refused === null && before.facts.heldUntil, null);
    const second = await newId(where);
    assert.equal(why(await reply(where, "Hello", second)), "taken");
    await outcome(where, second);
    const third = await newId(where);
    const stale = before.refused === null ? before.shown : "";
    assert.match(why(await take(where, third, "Hello", stale)), /has changed since it was shown/);
    const planned = await plan(where, "Hello");
    const { heldUntil, leavesAt } = planned.refused === null ? planned.facts : assert.fail(planned.refused);
    assert.equal(leavesAt, null);
    const wait = new Date(heldUntil ?? "").getTime() - Date.now();
    assert.ok(wait > 0 && wait < 86_400_000, heldUntil ?? "not held");
    assert.equal(why(await reply(where, "Hello", third)), "taken");
    assert.equal((await replyState(where, third, same)).state, "waiting");
    assert.deepEqual(textsAt(simulator), ["Hello", "Hello"]);
  });

  it("says in the language of who reads it why nothing would be sent", async () => {
    const number: Config = { validityPeriode: "-1", validityPeriodeSource: "num" };
    const cases: readonly (readonly [Config, Config, RegExp])[] = [
      [{}, { allowedCountries: "DE" }, /Nicht unter „Erlaubte Länder“/],
      [{}, { ...closedHours(), sendingAction: "refuse" }, /die nächsten Sendezeiten beginnen/],
      [number, {}, /^„Gültig für \(s\)“/],
      [{ ...number, validityPeriode: "soon" }, {}, /^„Gültig für \(s\)“/],
    ];
    for (const [settings, account, said] of cases) {
      const where = await whereOf(await start(settings, account));
      const { nodes } = await replyForm(where, PERSON, inGerman);
      assert.match(nodes[0]?.why ?? "offered", said);
      assert.match((await planReply(where, typedOf("Hello"), inGerman)).refused ?? "offered", said);
      await stopFlow();
    }
    const where = await whereOf(await start());
    await (await where.account.optOuts()).add([PERSON], "all", "flow");
    assert.match(
      (await replyForm(where, PERSON, inGerman)).nodes[0]?.why ?? "offered",
      /abgemeldet|keine Nachrichten/,
    );
  });

  it("says what the service refuses, in the state of the reply and in the log", async () => {
    const flow = await start();
    const where = await whereOf(flow);
    const id = await newId(where);
    simulator.main.addFault({ times: 1, answer: { statusCode: 4031 } });
    assert.equal(why(await reply(where, "Hello", id)), "taken");
    const { outcome: refused, text } = await outcome(where, id);
    assert.equal(refused, "rejected");
    assert.match(text, /blacklist/);
    await done(1);
    assert.match(flow.log("error").join("\n"), /rejected/);
    assert.deepEqual([flow.all.messages, flow.caught.messages, textsAt(simulator)], [[], [], []]);
  });

  it("waits where all sending is stopped, which is said before", async () => {
    const where = await whereOf(await start({}, { stopSending: true }));
    const planned = await plan(where, "Hello");
    assert.equal(planned.refused === null && planned.facts.stopped, true);
    const id = await newId(where);
    assert.equal(why(await reply(where, "Hello", id)), "taken");
    assert.deepEqual(await replyState(where, id, same), {
      taken: true,
      state: "waiting",
      outcome: null,
      text: "",
    });
    assert.deepEqual(textsAt(simulator), []);
  });

  it("goes by no node that would send something else, and says why", async () => {
    const fromMessage = (name: string): Config => ({ [name]: "x", [`${name}Source`]: "msg" });
    const cases: readonly (readonly [Config, RegExp])[] = [
      [{ messageType: "voice", messageTypeSource: "choice" }, /voice/],
      [{ test: "true", testSource: "bool" }, /tests/],
      [fromMessage("test"), /field “Test.*” comes from the message/],
      [fromMessage("sendAsFlashSms"), /field “Flash SMS” comes from the message/],
      [fromMessage("senderAddress"), /field “.+” comes from the message/],
      [{ type: "whatsapp-send", kind: "template" }, /not set to send texts/],
      [{ type: "whatsapp-send", kind: "broadcast" }, /not set to send texts/],
      [{ type: "whatsapp-send", kind: "text", outsideWindow: "send" }, /needs a template/],
      [{ type: "whatsapp-send", kind: "text", outsideWindow: "template" }, /needs a template/],
      [{ type: "rcs-send", kind: "card" }, /not set to send texts/],
      [{ type: "rcs-send", kind: "text", ...fromMessage("applicationId") }, /comes from the message/],
      [{ type: "rcs-send", kind: "text", ...fromMessage("trafficType") }, /comes from the message/],
      [{ validityPeriode: "-1", validityPeriodeSource: "num" }, /validity/i],
    ];
    for (const [settings, said] of cases) {
      const flow = await start(settings);
      const where = await whereOf(flow);
      const [node] = await nodesOf(flow);
      assert.match(node?.why ?? "offered", said, JSON.stringify(settings));
      assert.match((await plan(where, "Hello")).refused ?? "offered", said);
      assert.match(why(await take(where, await newId(where), "Hello", "x")), said);
      await stopFlow();
    }
    const long = await whereOf(await start({ maxSmsPerMessage: "1", maxSmsPerMessageSource: "num" }));
    assert.match((await plan(long, "Long ".repeat(40))).refused ?? "", /needs 2 SMS, and the node allows 1/);
    await stopFlow();
    const keepsNone = await whereOf(await start({}, { keepTexts: false }));
    assert.match((await plan(keepsNone, "Hello")).refused ?? "", /does not keep texts/);
    assert.equal(await requestCount(folder()), 0);
  });

  it("goes by WhatsApp within 24 hours of the person's last message, whatever the node does outside, and by RCS", async () => {
    const ways = [
      { type: "whatsapp-send", kind: "text", outsideWindow: "template" },
      { type: "whatsapp-send", kind: "text", outsideWindow: "reject" },
      {
        type: "rcs-send",
        kind: "text",
        suggestions: [{ value: "Yes", source: "str" }],
        suggestionsSource: "list",
      },
    ];
    for (const [at, settings] of ways.entries()) {
      const flow = await start(settings);
      const where = await whereOf(flow);
      await wrote(where);
      const id = await newId(where);
      assert.equal(why(await reply(where, `Hello ${at}`, id)), "taken");
      await outcome(where, id);
      await stopFlow();
    }
    assert.deepEqual(textsAt(simulator).length, 3);
    assert.doesNotMatch(JSON.stringify(simulator.main.messages), /Yes/);
    const where = await whereOf(await start(ways[0]));
    await inStore(folder(), "UPDATE contacts SET at = at - 25 * 3600000");
    assert.match((await plan(where, "Hello")).refused ?? "", /needs a template/);
    await stopFlow();
    await inStore(folder(), "DELETE FROM contacts");
    const closed = await whereOf(await start(ways[0], closedHours()));
    await wrote(closed);
    assert.match((await plan(closed, "Hello")).refused ?? "", /needs a template/, "when the hours begin");
    await stopFlow();
    const limited = await whereOf(await start(ways[0], { limitDay: "1", timeZone: NOON_ZONE }));
    assert.equal(why(await reply(limited, "Hello")), "taken");
    await waitFor("the limit to be known", async () => {
      const planned = await plan(limited, "Hello");
      return planned.refused === null && planned.facts.heldUntil !== null;
    });
    await inStore(folder(), "UPDATE contacts SET at = at - 23 * 3600000");
    assert.match((await plan(limited, "Hello")).refused ?? "", /needs a template/, "when the day is over");
  });

  async function wrote({ place }: ReplyPlace): Promise<void> {
    const { applicationId } = simulator.credentials;
    await inStore(
      folder(),
      `INSERT INTO contacts (account, number, channel, application, at)
        VALUES ('${place.account}', '${PERSON}', 'whatsapp', '${applicationId.toLowerCase()}', ${Date.now()})
        ON CONFLICT DO NOTHING`,
    );
  }
  describe("in PostgreSQL, with two Node-REDs", () => {
    const server = usePostgresql();

    it("is sent once, whoever of them takes it", async () => {
      const { account, credentials } = accountAt(simulator);
      const { url } = server();
      const flow = await startFlow({
        account: { ...account, keepMessages: "postgresql", keepTexts: true },
        credentials: { ...credentials, storeUrl: url },
      });
      const where = await whereOf(flow);
      await where.place.store.probe();
      await server().query(WROTE.replace("INTO events", "INTO messaging.events"), url);
      // A connection of its own, so an instance of its own.
      const other = new URL(url);
      other.searchParams.set("sslmode", "disable");
      const { settings } = where.place;
      const database = { ...(settings.database as PostgresqlSettings), url: other.href };
      const { keepFor, keepTexts, snapshotLimit } = settings;
      const second = await openStore(where.place.account, { keepFor, keepTexts, snapshotLimit, database });
      assert.notEqual(second.instances.id, where.place.instances.id);
      try {
        const elsewhere = { account: { ...(await twinOf(where)) } as Account, place: second };
        for (let round = 0; round < 10; round++) {
          const id = await newId(where);
          const shown = await shownFor(where, `Hello ${round}`);
          const both = await Promise.all(
            [where, elsewhere, where, elsewhere].map((each) => take(each, id, `Hello ${round}`, shown)),
          );
          assert.deepEqual(both.map(({ what }) => what).sort(), ["earlier", "earlier", "earlier", "taken"]);
          await outcome(where, id);
        }
        assert.equal(new Set(textsAt(simulator)).size, 10);
        assert.equal(textsAt(simulator).length, 10);
      } finally {
        await second.release();
      }
    });

    async function twinOf({ account }: ReplyPlace): Promise<object> {
      const { nodes, stop, destination, sending } = account;
      const turns = new (account.replies.constructor as new (most: number) => typeof account.replies)(20);
      return { nodes, stop, destination, sending, replies: turns };
    }
  });
});
