"""The archive is written while the row is locked."""
import pathlib

from psycopg_pool import ConnectionPool

pool = ConnectionPool("dbname=seeds")
NEXT = "select id, packet from sowings order by id for update skip locked limit 1"


def turn():
    with pool.connection() as seeds:
        row = seeds.execute(NEXT).fetchone()
        if row is None:
            return False
        pathlib.Path("/srv/sowings", str(row[0])).write_text(row[1])
        seeds.execute("delete from sowings where id = %s", (row[0],))
    return True


while turn():
    pass
