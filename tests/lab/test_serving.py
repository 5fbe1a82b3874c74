"""How the lab listens."""

from __future__ import annotations

import asyncio
import socket

from giantstep.lab.serving import listening_at


def test_an_answer_does_not_wait_for_the_receipt_of_its_beginning() -> None:
    """Head and body of an answer are written apart: without this option the second waits some 40 ms for the reader."""

    async def option() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        server = await asyncio.start_server(accepted, sock=listening_at("127.0.0.1", 0))
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.close()
            return await found

    assert asyncio.run(option())
