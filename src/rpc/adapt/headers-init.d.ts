// A browser's name that the types of Connect and of the MCP SDK use, and the types of Node lack.
type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;
