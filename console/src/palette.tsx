import { signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Modal } from "./parts/modal.js";
import { hrefOf } from "./router.js";
import { admin, blocks } from "./rpc.js";
import { Text } from "./text.js";

export const isPaletteOpen = signal(false);

interface Target {
  readonly name: string;
  readonly kind: string;
  readonly href: string;
}

const pages: readonly Target[] = [
  { name: "Inbox", kind: "page", href: hrefOf(["inbox"]) },
  { name: "Decided", kind: "page", href: hrefOf(["decided"]) },
  { name: "Users", kind: "page", href: hrefOf(["users"]) },
  { name: "Tools", kind: "page", href: hrefOf(["tools"]) },
  { name: "Runs", kind: "page", href: hrefOf(["runs"]) },
  { name: "Server", kind: "page", href: hrefOf(["server"]) },
  { name: "Jobs", kind: "page", href: hrefOf(["server", "jobs"]) },
  { name: "Slow calls", kind: "page", href: hrefOf(["server", "slow"]) },
  { name: "Audit trail", kind: "page", href: hrefOf(["server", "audit"]) },
];

const found = 12;
/** How long a person must not type before the server is asked, in milliseconds. */
const restMs = 120;

/** Finds users by the beginning of a name; after a name and a space, its agents and blocks. */
async function find(text: string): Promise<readonly Target[]> {
  const [userId = "", rest] = text.split(/ (.*)/s, 2);
  if (rest === undefined) {
    const { users } = await admin.listUsers({ prefix: userId, limit: found });
    return users.map((user) => ({
      name: user.userId,
      kind: "user",
      href: hrefOf(["u", user.userId]),
    }));
  }
  const [spaces, labels] = await Promise.all([
    admin.listNamespaces({ userId, limit: 100 }),
    blocks.listBlocks({ userId, limit: 100 }),
  ]);
  return [
    ...spaces.namespaces.map(({ namespace }) => ({
      name: namespace?.agentId ?? "",
      kind: "agent",
      href: hrefOf(["u", userId, "a", namespace?.agentId ?? ""]),
    })),
    ...labels.blocks.map(({ label }) => ({
      name: label,
      kind: "block",
      href: hrefOf(["u", userId, "b", label]),
    })),
  ].filter(({ name }) => name.toLowerCase().startsWith(rest.toLowerCase()));
}

/** Goes to a page, a user, an agent or a block by its name. */
export function Palette(): JSX.Element {
  const text = useSignal("");
  const targets = useSignal<readonly Target[]>(pages);
  const input = useRef<HTMLInputElement>(null);
  const close = () => {
    isPaletteOpen.value = false;
  };
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    const wanted = text.value;
    const matching = pages.filter(({ name }) =>
      name.toLowerCase().startsWith(wanted.toLowerCase()),
    );
    let isOld = false;
    const timer = setTimeout(() => {
      find(wanted).then(
        (more) => {
          if (!isOld) targets.value = [...matching, ...more].slice(0, found);
        },
        () => undefined,
      );
    }, restMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  const open = ({ href }: Target) => {
    close();
    location.hash = href;
  };
  return (
    <Modal title="Go to" onClose={close}>
      <label class="field">
        Page or user; after a user and a space: agent or block
        <input
          ref={input}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
          onKeyDown={(event) => {
            const [first] = targets.value;
            if (event.key === "Enter" && first !== undefined) open(first);
          }}
        />
      </label>
      <ul class="targets">
        {targets.value.map((target) => (
          <li key={`${target.kind} ${target.href}`}>
            <a href={target.href} onClick={close}>
              <Text value={target.name} /> <span class="faint">{target.kind}</span>
            </a>
          </li>
        ))}
      </ul>
    </Modal>
  );
}
