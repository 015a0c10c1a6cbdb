import type { JSX } from "preact";
import { DecidedPage } from "./inbox/decided-page.js";
import { InboxPage } from "./inbox/inbox-page.js";
import { place } from "./location.js";
import { UsersPage } from "./pages/users-page.js";
import { Empty } from "./parts/notes.js";
import { hrefOf } from "./router.js";

/** The page of the place in the address. */
export function CurrentPage(): JSX.Element {
  const [first = "inbox"] = place.value.path;
  switch (first) {
    case "inbox":
      return <InboxPage />;
    case "decided":
      return <DecidedPage />;
    case "users":
      return <UsersPage />;
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
