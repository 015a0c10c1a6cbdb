import type { JSX } from "preact";
import { BlockPage } from "./browse/block-page.js";
import { NamespacePage } from "./browse/namespace-page.js";
import { RunPage, RunsPage } from "./browse/runs-page.js";
import { ToolsPage } from "./browse/tools-page.js";
import { UserPage } from "./browse/user-page.js";
import { DecidedPage } from "./inbox/decided-page.js";
import { InboxPage } from "./inbox/inbox-page.js";
import { place } from "./location.js";
import { UsersPage } from "./pages/users-page.js";
import { Empty } from "./parts/notes.js";
import { hrefOf } from "./router.js";
import { ServerPage } from "./server/server-page.js";

/** The page of the place in the address. */
export function CurrentPage(): JSX.Element {
  const [first = "inbox", second, third, fourth, ...rest] = place.value.path;
  switch (first) {
    case "inbox":
      return <InboxPage />;
    case "decided":
      return <DecidedPage />;
    case "users":
      return <UsersPage />;
    case "tools":
      return <ToolsPage />;
    case "server":
      return <ServerPage tab={second} />;
    case "runs":
      return second === undefined ? <RunsPage /> : <RunPage runId={second} />;
    case "u":
      if (second === undefined) return <UsersPage />;
      if (fourth === undefined) return <UserPage userId={second} />;
      return third === "b" ? (
        <BlockPage userId={second} label={fourth} range={rest[1]} />
      ) : (
        <NamespacePage space={{ userId: second, agentId: fourth }} rest={rest} />
      );
    default:
      return (
        <Empty title="There is no such page">
          <p>
            <a href={hrefOf(["inbox"])}>Go to the inbox</a>
          </p>
        </Empty>
      );
  }
}
