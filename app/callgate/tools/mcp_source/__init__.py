"""Tools of MCP servers. The only place but `proxy/mcp_server` that knows the MCP SDK.

server        what everybody else sees of one, without the SDK
source        the source itself: one server, its tools, its state, its restarts
connection    one life of a connection, entered and left by one task
transports    stdio, streamable HTTP and SSE, all under a tap
call          one tool call, with the rounds it may take
"""
