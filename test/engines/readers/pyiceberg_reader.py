"""pyiceberg as a reader: attached by the address of the catalogue and a key, like anybody's notebook."""

from importlib.metadata import version

import pyiceberg.expressions as expressions
from pyiceberg.catalog import load_catalog
from pyiceberg.io.pyarrow import ArrowScan
from rows import answer, row_texts
from serve import serve

OPERATORS = {
    "=": expressions.EqualTo,
    "!=": expressions.NotEqualTo,
    "<": expressions.LessThan,
    "<=": expressions.LessThanOrEqual,
    ">": expressions.GreaterThan,
    ">=": expressions.GreaterThanOrEqual,
    "starts with": expressions.StartsWith,
}

state = {"planned": {}}


def attach(uri, token, namespace):
    state["catalogue"] = load_catalog("lake", type="rest", uri=uri, token=token)
    state["namespace"] = namespace
    return {"version": f"pyiceberg {version('pyiceberg')}", "tables": sorted(name[-1] for name in state["catalogue"].list_tables(namespace))}


def load(table):
    return state["catalogue"].load_table((state["namespace"], table))


def condition(filters):
    said = expressions.AlwaysTrue()
    for one in filters:
        said = expressions.And(said, predicate(**one))
    return said


def predicate(column, is_, value=None):
    if is_ == "null":
        return expressions.IsNull(column)
    if is_ == "not null":
        return expressions.NotNull(column)
    return OPERATORS[is_](column, int(value["time"]) if isinstance(value, dict) else value)


def scan_of(table, filters, snapshot=None):
    return load(table).scan(row_filter=condition(filters), snapshot_id=int(snapshot) if snapshot else None)


def read(table, columns, filters=(), snapshot=None, whole=False):
    return answer(row_texts(scan_of(table, filters, snapshot).to_arrow(), columns), whole)


def files(table, filters=()):
    """How many files a scan would open."""
    return len(list(scan_of(table, filters).plan_files()))


def plan(name, table):
    """Plans a scan that `finish` ends later."""
    scan = scan_of(table, [])
    state["planned"][name] = (scan, list(scan.plan_files()))
    return len(state["planned"][name][1])


def finish(name, columns, whole=False):
    scan, tasks = state["planned"].pop(name)
    rows = ArrowScan(scan.table_metadata, scan.io, scan.projection(), scan.row_filter, scan.case_sensitive, scan.limit).to_table(tasks)
    return answer(row_texts(rows, columns), whole)


serve({"attach": attach, "read": read, "files": files, "plan": plan, "finish": finish})
