import assert from "node:assert/strict";
import { BreakingProxy } from "./breaking-proxy.js";
import { TestServer } from "./test-server.js";

/** What an adapter stores for one user, as texts. */
export interface Subject {
  /** Stores a text through the adapter. */
  write(text: string): Promise<unknown>;
  /** Returns all texts of the user, oldest first if the adapter keeps an order. */
  read(): Promise<readonly string[]>;
  /** Deletes a text through the adapter, unless the contract says that it cannot. */
  remove?(text: string): Promise<unknown>;
  /** Returns at most `count` texts, unless the contract says that it cannot. */
  readSome?(count: number): Promise<readonly string[]>;
}

/** How the contract uses an adapter. */
export interface ContractOptions<Client extends { close(): void }> {
  /** Connects to the HTTP listener of a server: `connect` of the client. */
  readonly connect: (address: string, options: { readonly key: string }) => Client;
  /** Opens the adapter for a user. With an empty id, this or the first write must fail. */
  readonly open: (client: Client, userId: string) => Subject | Promise<Subject>;
  /** Whether the adapter keeps texts in order. Default: true. */
  readonly isOrdered?: boolean;
  /** The roles that the adapter needs on a server with credentials. Default: `writer`. */
  readonly roles?: readonly string[];
  /** What the framework cannot do. The cases about it are left out. */
  readonly cannot?: readonly ("remove" | "readSome")[];
}

/** More chunks than any reply of a write has. */
const chunksMax = 30;

const unicodeTexts = [
  "Zürich, naïve, ﬁ",
  "👩‍👩‍👧‍👦 👋🏽 🌰",
  "日本語のテキスト，中文文本",
  "שלום مرحبا",
  "e\u0301 is not \u00e9",
  'quotes " and \\ and \n lines \t and </tags>',
];

/**
 * The promises of every adapter, as test cases. A case fails with an error. The cases share a real
 * server, which `start` starts and `stop` removes.
 */
export class Contract<Client extends { close(): void }> {
  readonly #server = new TestServer();
  readonly #proxy = new BreakingProxy();
  readonly #options: ContractOptions<Client>;
  #address = "";
  #key = "";
  #users = 0;
  /** The cases, by their names. */
  readonly cases: Readonly<Record<string, () => Promise<void>>>;

  constructor(options: ContractOptions<Client>) {
    this.#options = options;
    this.cases = {
      "a user sees no text of another user": () => this.#isolation(),
      "texts are read as they were written, in all scripts": () => this.#texts(),
      "without a user, the adapter refuses to work": () => this.#noUser(),
      "a write whose connection breaks is stored once": () => this.#brokenConnections(),
      "a write during a restart of the server is stored once": () => this.#restart(),
      ...(options.cannot?.includes("remove")
        ? {}
        : { "a deleted text stays deleted, also after a restart": () => this.#deletion() }),
      ...(options.cannot?.includes("readSome")
        ? {}
        : { "a read returns no more texts than it may": () => this.#limit() }),
    };
  }

  readonly start = async (): Promise<void> => {
    this.#address = await this.#proxy.start();
    this.#key = this.#server.createKey(this.#options.roles ?? ["writer"]);
    await this.#server.start();
    this.#proxy.forwardTo(this.#server.address);
  };

  readonly stop = async (): Promise<void> => {
    await this.#proxy.stop();
    await this.#server.remove();
  };

  async #isolation(): Promise<void> {
    await this.#with(async (ada) => {
      await this.#with(async (bea) => {
        await ada.write("Ada keeps a secret.");
        assert.deepEqual(await bea.read(), []);
        await bea.write("Bea keeps another one.");
        assert.deepEqual(await ada.read(), ["Ada keeps a secret."]);
        assert.deepEqual(await bea.read(), ["Bea keeps another one."]);
      });
    });
  }

  async #texts(): Promise<void> {
    await this.#with(async (subject) => {
      for (const text of unicodeTexts) await subject.write(text);
      this.#assertTexts(await subject.read(), unicodeTexts);
    });
  }

  async #noUser(): Promise<void> {
    const client = this.#options.connect(this.#address, { key: this.#key });
    await assert.rejects(async () => {
      const subject = await this.#options.open(client, "");
      await subject.write("Whose text is this?");
    }, /user/i);
    client.close();
  }

  async #brokenConnections(): Promise<void> {
    let isBroken = true;
    for (let chunks = 0; isBroken; chunks += 1) {
      assert.ok(chunks < chunksMax, "a write has more replies than expected");
      await this.#with(async (subject) => {
        await subject.write("before");
        this.#proxy.breakAfter(chunks);
        await subject.write("once");
        isBroken = this.#proxy.hasBroken();
        this.#assertTexts(await subject.read(), ["before", "once"]);
      });
    }
  }

  async #restart(): Promise<void> {
    await this.#with(async (subject) => {
      await subject.write("before");
      this.#proxy.hold();
      await this.#server.kill();
      const written = subject.write("meanwhile");
      await this.#server.start();
      this.#proxy.forwardTo(this.#server.address);
      await written;
      await subject.write("after");
      this.#assertTexts(await subject.read(), ["before", "meanwhile", "after"]);
    });
  }

  async #deletion(): Promise<void> {
    await this.#with(async (subject) => {
      const { remove } = methodsOf(subject);
      for (const text of ["first", "second"]) await subject.write(text);
      await remove("second");
      this.#assertTexts(await subject.read(), ["first"]);
      this.#proxy.hold();
      await this.#server.kill();
      await this.#server.start();
      this.#proxy.forwardTo(this.#server.address);
      await subject.write("third");
      this.#assertTexts(await subject.read(), ["first", "third"]);
    });
  }

  async #limit(): Promise<void> {
    await this.#with(async (subject) => {
      const { readSome } = methodsOf(subject);
      for (const text of ["red", "green", "blue"]) await subject.write(`${text} paint`);
      assert.equal((await readSome(2)).length, 2);
    });
  }

  /** Calls `use` with the adapter for a user that no other case has. */
  async #with(use: (subject: Subject) => Promise<void>): Promise<void> {
    const client = this.#options.connect(this.#address, { key: this.#key });
    try {
      await use(await this.#options.open(client, `contract-${++this.#users}`));
    } finally {
      client.close();
    }
  }

  #assertTexts(texts: readonly string[], expected: readonly string[]): void {
    if (this.#options.isOrdered ?? true) assert.deepEqual(texts, expected);
    else assert.deepEqual(texts.toSorted(), expected.toSorted());
  }
}

/** Returns the methods that a subject may lack. They fail if it lacks them. */
function methodsOf(subject: Subject): Required<Pick<Subject, "remove" | "readSome">> {
  return {
    remove: (text) => subject.remove?.(text) ?? assert.fail("the subject has no method `remove`"),
    readSome: (count) =>
      subject.readSome?.(count) ?? assert.fail("the subject has no method `readSome`"),
  };
}
