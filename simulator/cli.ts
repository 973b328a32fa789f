#!/usr/bin/env node
import { type CliArguments, HELP, parseCliArguments } from "./cli-arguments";
import { randomCredentials } from "./sign-in/credentials";
import {
  type RecordedRequest,
  SAMPLE_MEDIA_ID,
  type SimulatedDelivery,
  type Simulator,
  startSimulator,
} from "./index";

async function main(): Promise<void> {
  let given: CliArguments;
  try {
    given = parseCliArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`messaging-simulator: ${messageOf(error)}\n`);
    process.exitCode = 2;
    return;
  }
  if (given.help) {
    process.stdout.write(HELP);
    return;
  }
  const simulator = await startSimulator({
    port: given.port,
    host: given.host,
    allowedHosts: given.allowedHosts,
    ...(given.randomCredentials ? { credentials: randomCredentials() } : {}),
    ...(given.token === null ? {} : { controlToken: given.token }),
    webhooks: given.calling,
    ...(given.quiet ? {} : { onRequest: printRequest, onDelivery: printDelivery }),
  });
  for (const webhook of given.webhooks) simulator.main.registerWebhook(webhook);
  // Before the first output: a parent process may send a signal as soon as it reads a line.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
  process.stdout.write(welcome(simulator));
}

function welcome({ url, credentials, controlToken }: Simulator): string {
  const { username, password, accessToken, clientId, clientSecret, applicationId } = credentials;
  return `Messaging simulator. Nothing is ever sent.

  service address        ${url}
  token service address  ${url}
  user name              ${username}
  password               ${password}
  access token           ${accessToken}
  client id              ${clientId}
  client secret          ${clientSecret}
  application id         ${applicationId}
  sample media id        ${SAMPLE_MEDIA_ID}
  control token          ${controlToken}

Try it:
  curl -u ${username}:${password} -d recipientAddressList=41790000000 -d messageContent=Hello ${url}/rest/smsmessaging/simple
  curl -H 'x-simulator-token: ${controlToken}' ${url}/_sim/messages

`;
}

function printRequest(request: RecordedRequest): void {
  const { at, method, path, httpStatus, statusCode, fault } = request;
  const answer = `${httpStatus ?? "no answer"}${statusCode === null ? "" : ` ${statusCode}`}`;
  const cause = fault ? ` (${fault.id}: ${fault.kind})` : "";
  process.stdout.write(
    `${new Date(at).toISOString()} ${method} ${path.split("?")[0]} -> ${answer}${cause}\n`,
  );
}

function printDelivery({ at, event, webhook, state, dropped, attempts }: SimulatedDelivery): void {
  const last = attempts.at(-1);
  const answer = last ? [last.httpStatus, last.statusCode, last.problem, state] : [dropped, state];
  const outcome = answer.filter((each) => each !== null).join(" ");
  const when = new Date(last?.at ?? at).toISOString();
  process.stdout.write(`${when} ${event} event to ${webhook ?? "no webhook"} -> ${outcome}\n`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

main().catch((error: unknown) => {
  process.stderr.write(`messaging-simulator: ${messageOf(error)}\n`);
  process.exitCode = 1;
});
