import { PostgresqlEngine } from "../../../../lib/store/engine/postgresql/postgresql-engine";
import { list } from "../engine-statements";

/** A process that uses an engine, and then closes it or leaves it as it is. Ends when nothing keeps it. */
const [url = "", end] = process.argv.slice(2);

async function use(): Promise<void> {
  const engine = new PostgresqlEngine({ url, schema: "messaging", tls: null });
  engine.listen("topic", () => process.stdout.write("told\n"));
  await list(engine);
  await engine.run([], ["topic"]);
  if (end === "close") {
    await engine.close();
  }
}

void use();
