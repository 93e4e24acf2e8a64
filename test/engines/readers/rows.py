"""Rows of an Arrow table as texts that no reader's way of printing decides, and their digest."""

import hashlib
import json
import struct
import uuid

import pyarrow as pa


def column_texts(column, kind):
    """The texts of a column's values, None where there is none."""
    if kind == "time":
        column = column.cast(pa.int64())
    values = column.to_pylist()
    return [None if value is None else value_text(value, kind) for value in values]


def value_text(value, kind):
    if kind == "uuid":
        if isinstance(value, uuid.UUID):
            return value.hex
        return value.hex() if isinstance(value, bytes) else value.replace("-", "")
    if kind == "double":
        return struct.pack(">d", value).hex()
    if kind == "boolean":
        return "true" if value else "false"
    return str(value)


def row_texts(table, columns):
    """Each row as a JSON list of the texts of these columns."""
    lists = [column_texts(table.column(column["name"]), column["kind"]) for column in columns]
    return [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in zip(*lists)]


def digest(texts):
    """A digest of rows in whatever order."""
    each = sorted(hashlib.sha256(text.encode()).hexdigest() for text in texts)
    return hashlib.sha256("".join(each).encode()).hexdigest()


def answer(texts, whole):
    """What a request for rows is answered with: their number and digest, and the rows themselves where they are asked for."""
    said = {"rows": len(texts), "digest": digest(texts)}
    return {**said, "texts": texts} if whole else said
