// The declarations of Connect and of the MCP SDK use this type of the browsers. The declarations of
// Node lack it.
type HeadersInit = NonNullable<ConstructorParameters<typeof Headers>[0]>;
