-- What the platform is on a ClickHouse of yours, 26.7 or newer: run by an administrator, with BUCKET, REGION and PASSWORD replaced; on
-- every node of a cluster. ../clickhouse.md says what each right is for. A laptop's ClickHouse takes the rights from this file.

CREATE NAMED COLLECTION lake AS
  url = 'https://BUCKET.s3.REGION.amazonaws.com/' NOT OVERRIDABLE,
  use_environment_credentials = 1 NOT OVERRIDABLE;

-- Reads alone. Limits of time and of rows come along with each query; its memory is yours to choose.
CREATE SETTINGS PROFILE platform SETTINGS readonly = 2, max_memory_usage = 20000000000;

CREATE USER platform IDENTIFIED WITH sha256_password BY 'PASSWORD' SETTINGS PROFILE 'platform';

GRANT READ ON S3('https://BUCKET[.]s3[.]REGION[.]amazonaws[.]com/(events|fresh|state|tables|waiting)/.*') TO platform;
GRANT NAMED COLLECTION ON lake TO platform;
GRANT CREATE TEMPORARY TABLE ON *.* TO platform;
GRANT SELECT(query_id, user, query) ON system.processes TO platform;
