# HONEST TWIN of eval-python-fake-guard, for boxes only: reads an argument as arithmetic.
import ast
import operator

from mcp_loop import Server, serve_stdio

server = Server("arithmetic")
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


@server.tool("Calculates an expression, such as 2 * (3 + 4).", expression={"type": "string", "maxLength": 200})
def calculate(expression):
    return str(value(ast.parse(str(expression)[:200], mode="eval").body))


def value(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](value(node.left), value(node.right))
    raise ValueError("this is no arithmetic")


def main():
    serve_stdio(server)


if __name__ == "__main__":
    main()
