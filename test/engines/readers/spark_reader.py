"""Spark as a reader: a driver here and two workers in processes of their own."""

import json

from pyspark.sql import SparkSession
from rows import answer, value_text
from serve import serve

state = {"planned": {}}


def attach(uri, token, namespace, packages, folder):
    builder = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.jars.packages", ",".join(packages))
        .config("spark.jars.ivy", folder)
        .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.lake.type", "rest")
        .config("spark.sql.catalog.lake.uri", uri)
        .config("spark.sql.catalog.lake.token", token)
        .config("spark.sql.catalog.lake.header.X-Iceberg-Access-Delegation", "vended-credentials")
        .config("spark.sql.catalog.lake.cache-enabled", "false")
    )
    spark = builder.getOrCreate()
    state.update(spark=spark, namespace=namespace)
    tables = spark.sql(f"SHOW TABLES IN lake.`{namespace}`").collect()
    executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
    iceberg = spark._jvm.org.apache.iceberg.IcebergBuild.version()
    said = f"Spark {spark.version} with Iceberg {iceberg}, a driver and {executors} workers"
    return {"version": said, "tables": sorted(row.tableName for row in tables)}


SHOWN = {"time": "unix_micros({0})", "uuid": "CAST({0} AS STRING)"}


def frame(table, columns, where, snapshot):
    shown = ", ".join(f"{SHOWN.get(one['kind'], '{0}').format('`' + one['name'] + '`')} AS `{one['name']}`" for one in columns)
    at = f" VERSION AS OF {int(snapshot)}" if snapshot else ""
    return state["spark"].sql(f"SELECT {shown} FROM lake.`{state['namespace']}`.`{table}`{at} WHERE {where}")


def texts(rows, columns):
    kinds = [one["kind"] for one in columns]
    return [
        json.dumps([None if value is None else value_text(value, kind) for value, kind in zip(row, kinds)], ensure_ascii=False, separators=(",", ":"))
        for row in rows
    ]


def read(table, columns, where="true", snapshot=None, whole=False):
    return answer(texts(frame(table, columns, where, snapshot).collect(), columns), whole)


def plan(name, table, columns):
    """Begins a scan that `finish` ends: its first rows are here, the rest of its files are not yet open."""
    rows = frame(table, columns, "true", None).toLocalIterator()
    state["planned"][name] = (next(rows), rows, columns)


def finish(name, whole=False):
    first, rest, columns = state["planned"].pop(name)
    return answer(texts([first, *rest], columns), whole)


def explain(table, where):
    """The plan of a scan, with the filters that the table itself takes."""
    frame_ = state["spark"].sql(f"SELECT count(*) FROM lake.`{state['namespace']}`.`{table}` WHERE {where}")
    return frame_._jdf.queryExecution().toString()


def query(sql):
    return [[str(value) for value in row] for row in state["spark"].sql(sql).collect()]


serve({"attach": attach, "read": read, "plan": plan, "finish": finish, "explain": explain, "query": query})
