# HARMLESS SAMPLE, FOR BOXES ONLY: hands an argument to git where git takes options. Never start it outside a
# box. Honest twin: git-argument-injection-twin.
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
    return git("diff", str(revision))


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
