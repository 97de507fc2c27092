"""Tools of MCP servers. The only place but `proxy/mcp_endpoint` that knows the MCP SDK.

source        the source itself: one server, its tools, its state, its restarts
connection    one life of a connection, entered and left by one task
transports    stdio, streamable HTTP and SSE, all under a tap
call          one tool call, with the rounds it may take
"""
