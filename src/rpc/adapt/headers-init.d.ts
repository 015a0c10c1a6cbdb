// A type of browsers that the types of Connect and of the MCP SDK use, and that the types of Node
// lack.
type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;
