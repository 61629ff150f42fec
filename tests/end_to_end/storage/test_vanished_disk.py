"""A data directory that vanishes under a running server, as with a volume that is unmounted."""

from pathlib import Path

from tests.end_to_end.support.tools import started


def test_a_server_refuses_until_its_data_directory_is_back(tmp_path: Path) -> None:
    data, away = tmp_path / "data", tmp_path / "away"
    with started(tmp_path) as client:
        client.call(1, "save_memory", text="a zebra")
        data.rename(away)
        data.mkdir()
        for request, (tool, arguments) in enumerate(
            [("save_memory", {"text": "into nowhere"}), ("recall", {"query": "zebra"}), ("recall", {})], start=2
        ):
            reply = client.call(request, tool, **arguments)["result"]
            assert reply["isError"]
            assert "The memory folder is gone, or empty; nothing was saved." in reply["content"][0]["text"]
        assert list(data.iterdir()) == []
        data.rmdir()
        away.rename(data)
        client.call(5, "save_memory", text="another zebra")
        assert client.text(6, "recall", query="zebra").splitlines()[-1].startswith("2 result(s)")
