import type { Command } from "commander";

/** Returns the page with all commands of a program. */
export declare function commandsPage(root: Command): string;
