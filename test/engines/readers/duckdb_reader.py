"""DuckDB as a reader, with its own extension for Iceberg, from the packages that carry the signed extensions."""

import pathlib
from importlib.util import find_spec

import duckdb
from rows import answer, row_texts
from serve import serve

EXTENSIONS = ["httpfs", "avro", "iceberg"]

state = {}


def extension(name):
    folder = pathlib.Path(find_spec(f"duckdb_extension_{name}").submodule_search_locations[0])
    return str(next(folder.glob(f"extensions/*/{name}.duckdb_extension")))


def attach(uri, token, namespace):
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    for name in EXTENSIONS:
        connection.execute(f"LOAD '{extension(name)}'")
    connection.execute(f"CREATE SECRET (TYPE iceberg, TOKEN '{token}')")
    connection.execute(f"ATTACH '' AS lake (TYPE iceberg, ENDPOINT '{uri}')")
    state.update(connection=connection, namespace=namespace)
    tables = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'lake'").fetchall()
    return {"version": f"DuckDB {duckdb.__version__}", "tables": sorted(name for (name,) in tables)}


def read(table, columns, where="true", snapshot=None, whole=False):
    names = ", ".join(f'"{column["name"]}"' for column in columns)
    at = f" AT (VERSION => {int(snapshot)})" if snapshot else ""
    rows = state["connection"].execute(f'SELECT {names} FROM lake."{state["namespace"]}"."{table}"{at} WHERE {where}').to_arrow_table()
    return answer(row_texts(rows, columns), whole)


serve({"attach": attach, "read": read})
