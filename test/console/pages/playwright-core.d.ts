/**
 * The parts of playwright-core that tests and scripts use. Its own declarations need those of a
 * browser, which contradict those of Node. Functions for the page are texts, for the same reason.
 */

export interface Locator {
  readonly first: () => Locator;
  readonly nth: (index: number) => Locator;
  readonly filter: (options: { readonly hasText: string | RegExp }) => Locator;
  readonly locator: (selector: string) => Locator;
  readonly getByText: (text: string | RegExp) => Locator;
  readonly getByRole: (role: string, options?: { readonly name?: string | RegExp }) => Locator;
  readonly click: (options?: { readonly modifiers?: readonly "Shift"[] }) => Promise<void>;
  readonly fill: (text: string) => Promise<void>;
  readonly focus: () => Promise<void>;
  readonly check: () => Promise<void>;
  readonly selectOption: (value: string) => Promise<unknown>;
  readonly count: () => Promise<number>;
  readonly isVisible: () => Promise<boolean>;
  readonly isDisabled: () => Promise<boolean>;
  readonly textContent: () => Promise<string | null>;
  readonly innerText: () => Promise<string>;
  readonly allTextContents: () => Promise<string[]>;
  readonly getAttribute: (name: string) => Promise<string | null>;
  readonly ariaSnapshot: () => Promise<string>;
  readonly waitFor: (options?: {
    readonly state?: "visible" | "hidden";
    readonly timeout?: number;
  }) => Promise<void>;
}

export interface Page {
  readonly keyboard: {
    readonly press: (key: string) => Promise<void>;
    readonly type: (text: string) => Promise<void>;
  };
  readonly on: {
    (event: "pageerror", listener: (error: Error) => void): void;
    (event: "request", listener: (request: { url(): string }) => void): void;
    (event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  };
  readonly goto: (url: string) => Promise<{ status(): number } | null>;
  readonly reload: () => Promise<unknown>;
  readonly title: () => Promise<string>;
  readonly url: () => string;
  readonly close: () => Promise<void>;
  readonly locator: (selector: string) => Locator;
  readonly getByRole: (
    role: string,
    options?: { readonly name?: string | RegExp; readonly exact?: boolean },
  ) => Locator;
  readonly getByText: (text: string | RegExp, options?: { readonly exact?: boolean }) => Locator;
  readonly getByLabel: (text: string | RegExp, options?: { readonly exact?: boolean }) => Locator;
  readonly getByTestId: (id: string) => Locator;
  readonly context: () => BrowserContext;
  readonly evaluate: (expression: string) => Promise<unknown>;
  readonly waitForTimeout: (ms: number) => Promise<void>;
  readonly setViewportSize: (size: {
    readonly width: number;
    readonly height: number;
  }) => Promise<void>;
  readonly emulateMedia: (media: { readonly colorScheme: "light" | "dark" }) => Promise<void>;
  readonly screenshot: (options: {
    readonly path: string;
    readonly scale?: "css";
  }) => Promise<unknown>;
}

/** A session of the protocol of Chromium's developer tools. */
export interface DevToolsSession {
  readonly send: (method: string) => Promise<unknown>;
}

export interface BrowserContext {
  readonly newPage: () => Promise<Page>;
  readonly newCDPSession: (page: Page) => Promise<DevToolsSession>;
  readonly close: () => Promise<void>;
}

export interface Browser {
  readonly newContext: (options?: {
    readonly viewport?: { readonly width: number; readonly height: number };
    readonly colorScheme?: "light" | "dark";
    readonly timezoneId?: string;
  }) => Promise<BrowserContext>;
  readonly close: () => Promise<void>;
}

export declare const chromium: {
  readonly launch: (options: {
    readonly executablePath: string;
    readonly args?: readonly string[];
  }) => Promise<Browser>;
};
