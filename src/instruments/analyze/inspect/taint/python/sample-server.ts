/** Servers for the tests of the front end. */

const imports = `import asyncio, importlib, ipaddress, json, os, pickle, re, shlex, shutil, sqlite3, subprocess, sys
import urllib.request
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal, Optional
from urllib.parse import quote, urlparse
import aiofiles, aiohttp, git, httpx, jinja2, requests, yaml
from pydantic import BaseModel, Field
from sqlalchemy import text
from mcp.server import Server
from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Tool, TextContent

mcp = FastMCP("sample")
server = Server("sample")
BASE = "/srv/notes"
ROOT = Path("/srv/notes").resolve()
ALLOWED = ["one", "two"]
TABLE = {"one": 1, "two": 2}

class Mode(str, Enum):
    ONE = "one"
    TWO = "two"

`;

export function sampleModule(body: string): Readonly<Record<string, string>> {
  return { 'server.py': `${imports}${body}\n` };
}

function indented(body: string): string {
  return body
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A server with one tool `t` whose one argument is `x`. */
export function sampleTool(body: string, type = 'str'): Readonly<Record<string, string>> {
  return sampleModule(`@mcp.tool()\nasync def t(x: ${type}):\n${indented(body)}`);
}
