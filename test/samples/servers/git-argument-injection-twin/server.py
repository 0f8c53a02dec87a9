# HONEST TWIN of git-argument-injection, for boxes only: refuses options and tells git where they end.
import os
import subprocess
import tempfile

from mcp_loop import Server, serve_stdio

server = Server("history")
repository = tempfile.mkdtemp(prefix="history-")


def git(*words):
    identity = ["-c", "user.name=sample", "-c", "user.email=sample@history.example"]
    done = subprocess.run(["git", "-C", repository, *identity, *words], capture_output=True, timeout=10)
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def prepare():
    if os.path.isdir(os.path.join(repository, ".git")):
        return
    git("init", "--quiet")
    with open(os.path.join(repository, "readme"), "w") as file:
        file.write("one\n")
    git("add", "readme")
    git("commit", "--quiet", "--message", "first")
    with open(os.path.join(repository, "readme"), "a") as file:
        file.write("two\n")


@server.tool("Shows what changed since a revision, such as HEAD.", revision={"type": "string", "maxLength": 200})
def diff(revision):
    prepare()
    if not str(revision).replace("-", "").isalnum() or str(revision).startswith("-"):
        return "not a revision"
    return git("diff", "--end-of-options", str(revision))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
